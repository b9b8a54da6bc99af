//! Values that a field's rule refuses.

use proptest::prelude::*;

use super::date::length;
use crate::normalize::{Field, FieldValue, ProblemKind};

/// A value that the field's rule refuses, and the kind of its problem.
///
/// ```
/// use matterbook_rules::{client::stored_value, normalize::Field, strategies::refused};
/// use proptest::prelude::*;
/// proptest!(|((sent, kind) in refused(Field::Zip))| {
///     let refused = stored_value(Field::Zip, &sent).map_err(|problem| problem.kind());
///     prop_assert_eq!(refused, Err(kind));
/// });
/// ```
pub fn refused(field: Field) -> BoxedStrategy<(FieldValue<'static>, ProblemKind)> {
    let structure = prop_oneof![
        Just((FieldValue::Array, ProblemKind::WrongType)),
        Just((FieldValue::Object, ProblemKind::WrongType)),
        Just((FieldValue::LoneSurrogate, ProblemKind::InvalidUnicode)),
    ];
    prop_oneof![1 => structure, 4 => of_field(field)].boxed()
}

fn of_field(field: Field) -> BoxedStrategy<(FieldValue<'static>, ProblemKind)> {
    match field {
        Field::FirstName
        | Field::LastName
        | Field::City
        | Field::CaseType
        | Field::AddressLine1
        | Field::AddressLine2 => free_text(field.max_length().unwrap_or_default()),
        Field::State => texts("[A-Za-z]{3}[0-9][A-Za-z]{0,8}", ProblemKind::UnknownState),
        Field::Zip => prop_oneof![
            texts("[0-9]{1,3}|[0-9]{6,8}|[0-9]{10,14}", ProblemKind::ZipFormat),
            texts("[A-Z][0-9][A-Z] [0-9][A-Z][0-9]", ProblemKind::ZipFormat),
            boolean(),
        ]
        .boxed(),
        Field::Email => prop_oneof![
            texts(
                "[a-z]{1,10}|[a-z]{1,10}@[a-z]{1,10}|[a-z]{1,5} <[a-z]{1,5}@example\\.com>",
                ProblemKind::EmailFormat
            ),
            texts("[a-z]{65,80}@example\\.com", ProblemKind::TooLong),
            boolean(),
        ]
        .boxed(),
        Field::Phone => prop_oneof![
            texts("[1-9][0-9]{0,8}|[1-9][0-9]{15,17}", ProblemKind::PhoneDigits),
            texts("[2-9][0-9]{9} / [2-9][0-9]{9}", ProblemKind::TwoNumbers),
            boolean(),
        ]
        .boxed(),
        Field::OpenedOn | Field::SettledOn => prop_oneof![
            texts("[0-9]{1,2}/[0-9]{1,2}/[0-9]{2}|[a-z]{3,9}|[0-9]{8}", ProblemKind::DateFormat),
            texts("(1[3-9]|2[0-9]|3[01])/0[1-9]/20[0-9]{2}", ProblemKind::NoSuchDate),
            no_such_day(),
            boolean(),
        ]
        .boxed(),
        Field::ExternalId => prop_oneof![
            "(0|[1-9][0-9]{0,7})\\.[0-9]{1,4}|[1-9][eE][1-9]"
                .prop_map(|token| (FieldValue::Number(token.into()), ProblemKind::WrongType)),
            texts("[A-Z0-9]{201,220}", ProblemKind::TooLong),
            texts("[A-Z0-9]{1,5}\n[A-Z0-9]{1,5}", ProblemKind::ControlCharacter),
            boolean(),
        ]
        .boxed(),
        Field::DoNotMail => prop_oneof![
            texts("maybe|[a-z]{6,9}|[2-9]", ProblemKind::YesNo),
            (0_u32..10).prop_map(|number| (FieldValue::from(number), ProblemKind::WrongType)),
        ]
        .boxed(),
    }
}

fn texts(pattern: &'static str, kind: ProblemKind) -> BoxedStrategy<(FieldValue<'static>, ProblemKind)> {
    pattern.prop_map(move |text| (FieldValue::Text(text.into()), kind)).boxed()
}

fn boolean() -> BoxedStrategy<(FieldValue<'static>, ProblemKind)> {
    any::<bool>().prop_map(|flag| (FieldValue::Bool(flag), ProblemKind::WrongType)).boxed()
}

fn free_text(max_length: usize) -> BoxedStrategy<(FieldValue<'static>, ProblemKind)> {
    let too_long = (max_length + 1..max_length + 50)
        .prop_map(|length| (FieldValue::Text("é".repeat(length).into()), ProblemKind::TooLong));
    let number = any::<i64>().prop_map(|number| (FieldValue::from(number), ProblemKind::WrongType));
    prop_oneof![too_long, number, texts("[a-z]{1,5}\u{7}[a-z]{1,5}", ProblemKind::ControlCharacter), boolean()].boxed()
}

fn no_such_day() -> BoxedStrategy<(FieldValue<'static>, ProblemKind)> {
    (1900_i32..=2100, 1_u32..=12)
        .prop_flat_map(|(year, month)| (Just(year), Just(month), length(year, month) + 1..=99))
        .prop_map(|(year, month, day)| {
            (FieldValue::Text(format!("{year}-{month:02}-{day:02}").into()), ProblemKind::NoSuchDate)
        })
        .boxed()
}
