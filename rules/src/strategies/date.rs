//! Dates.

use proptest::prelude::*;

use super::{
    Pair,
    written::{any_case, padded},
};

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Days from 1900 to 2100 in each form that is read (rules N27 to N29).
pub(super) fn date() -> impl Strategy<Value = Pair> {
    let times = ["T10:00", "T23:30:00-08:00", " 07:15:59.123Z", "t00:00+05", " 12:00:00+0530"];
    let day =
        (1900_i32..=2100, 1_u32..=12).prop_flat_map(|(year, month)| (Just(year), Just(month), 1..=length(year, month)));
    (day, 0_u8..9, prop::sample::select(times.to_vec())).prop_flat_map(|((year, month, day), form, time)| {
        let name = usize::try_from(month - 1).ok().and_then(|index| MONTHS.get(index)).copied().unwrap_or_default();
        let short = name.get(..3).unwrap_or(name);
        let kept = format!("{year}-{month:02}-{day:02}");
        let sent = match form {
            0 => kept.clone(),
            1 => format!("{year}-{month}-{day}"),
            2 => format!("{kept}{time}"),
            3 => format!("{month:02}/{day:02}/{year}"),
            4 => format!("{month}/{day}/{year}"),
            5 => format!("{name} {day}, {year}"),
            6 => format!("{short}. {day:02} {year}"),
            7 if month == 9 => format!("Sept {day}, {year}"),
            _ => format!("{short} {day}, {year}"),
        };
        // The letters of a time are `T` and `Z`, which are read in any case too.
        (Just(kept), padded(any_case(sent))).prop_map(|(kept, sent)| Pair::texts(sent, kept))
    })
}

/// The days of a month.
pub(super) const fn length(year: i32, month: u32) -> u32 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}
