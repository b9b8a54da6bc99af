//! Phone numbers and email addresses.

use proptest::prelude::*;

use super::{
    Pair,
    written::{any_case, padded},
};

/// Extensions that are dropped (rule N22).
const EXTENSIONS: [&str; 7] = ["", " x9", " ext. 45", " ext 123", " extension 7", " #12", ";ext=4"];
/// Labels that are dropped (rule N23).
const LABELS: [&str; 4] = ["", "Cell: ", "(home) ", "Tel. "];

/// Phone numbers of the North American plan in the usual forms, and others with their country's code (rules N21 to N25).
pub(super) fn phone() -> impl Strategy<Value = Pair> {
    let domestic = (200_u32..1_000, 200_u32..1_000, 0_u32..10_000, 0_u8..10);
    let extension = prop::sample::select(&EXTENSIONS[..]);
    let label = prop::sample::select(&LABELS[..]);
    let domestic = (domestic, extension, label).prop_flat_map(|((area, exchange, line, form), extension, label)| {
        let kept = format!("+1{area}{exchange}{line:04}");
        if form == 0 {
            return Just(Pair::number(format!("{area}{exchange}{line:04}"), kept)).boxed();
        }
        let number = match form {
            1 => format!("{area}{exchange}{line:04}"),
            2 => format!("({area}) {exchange}-{line:04}"),
            3 => format!("{area}-{exchange}-{line:04}"),
            4 => format!("{area}.{exchange}.{line:04}"),
            5 => format!("+1 {area} {exchange} {line:04}"),
            6 => format!("1-{area}-{exchange}-{line:04}"),
            7 => format!("011 1 {area} {exchange} {line:04}"),
            8 => format!("{area}/{exchange}-{line:04}"),
            _ => format!("＋1 ({area}) {exchange}–{line:04}"),
        };
        let sent = format!("{label}{number}{extension}");
        (Just(kept), padded(Just(sent))).prop_map(|(kept, sent)| Pair::texts(sent, kept)).boxed()
    });
    let abroad = ("[2-9][0-9]{9,14}", 0_u8..3).prop_map(|(digits, form)| {
        let kept = format!("+{digits}");
        let (country, rest) = digits.split_at(2);
        let sent = match form {
            0 => kept.clone(),
            1 => format!("+{country} {rest}"),
            _ => format!("00{country}-{rest}"),
        };
        Pair::texts(sent, kept)
    });
    prop_oneof![4 => domestic, 1 => abroad]
}

/// Email addresses, their domains in any letter case (rules N31 and N32).
pub(super) fn email() -> impl Strategy<Value = Pair> {
    let local = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}";
    let domain = "[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?){1,3}";
    (local, domain).prop_flat_map(|(local, domain)| {
        let kept = format!("{local}@{domain}");
        let sent = any_case(domain).prop_map(move |domain| format!("{local}@{domain}"));
        (Just(kept), padded(sent)).prop_map(|(kept, sent)| Pair::texts(sent, kept))
    })
}
