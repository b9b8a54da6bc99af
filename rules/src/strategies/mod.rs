//! Strategies of [proptest](https://docs.rs/proptest) for programs that use the rules (feature `proptest`).
//!
//! A strategy generates a value together with what the rules make of it, so a test of another program needs no
//! second implementation of the rules:
//!
//! - [`pair`]: a value of one field as people write it, and its stored form;
//! - [`refused`]: a value that the field's rule refuses, and the kind of its problem;
//! - [`blank`], [`any_value`], [`any_text`]: values that are missing, and values of any kind;
//! - [`person`], [`same_person`], [`different_people`]: records that match, and records that do not.
//!
//! Generated people are made up from lists of sample names.
//!
//! ```
//! use matterbook_rules::{client::stored_value, normalize::Field};
//! use matterbook_rules::strategies::{pair, same_person};
//! use matterbook_rules::matching::{self, MatchKey};
//! use proptest::prelude::*;
//!
//! proptest!(|(zip in pair(Field::Zip), (one, other) in same_person())| {
//!     // Your program in place of the rules:
//!     prop_assert_eq!(stored_value(Field::Zip, &zip.sent), Ok(Some(zip.kept)));
//!     prop_assert!(matching::same_person(&MatchKey::of(&one), &MatchKey::of(&other)));
//! });
//! ```

mod any;
mod contact;
mod date;
mod numbers;
mod people;
mod refused;
mod state;
mod text;
mod written;

pub use any::{any_text, any_value, blank};
pub use people::{different_people, person, same_person};
pub use refused::refused;

use proptest::prelude::*;

use crate::{
    client::StoredValue,
    normalize::{Field, FieldValue},
};

/// A value as it is sent, and its stored form.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Pair {
    /// As a person or a program may write it.
    pub sent: FieldValue<'static>,
    /// As the field's rule stores it.
    pub kept: StoredValue,
}

impl Pair {
    /// A text that is sent, and a text that is stored.
    fn texts(sent: String, kept: impl Into<crate::SmolStr>) -> Self {
        Self { sent: FieldValue::Text(sent.into()), kept: StoredValue::Text(kept.into()) }
    }

    /// A number that is sent, and a text that is stored.
    fn number(token: String, kept: impl Into<crate::SmolStr>) -> Self {
        Self { sent: FieldValue::Number(token.into()), kept: StoredValue::Text(kept.into()) }
    }
}

/// Values that the field's rule takes, in the forms that occur in client lists, each with its stored form.
///
/// ```
/// use matterbook_rules::{client::stored_value, normalize::Field, strategies::pair};
/// use proptest::prelude::*;
/// proptest!(|(phone in pair(Field::Phone))| {
///     prop_assert_eq!(stored_value(Field::Phone, &phone.sent), Ok(Some(phone.kept)));
/// });
/// ```
pub fn pair(field: Field) -> BoxedStrategy<Pair> {
    match field {
        Field::FirstName | Field::LastName | Field::City | Field::CaseType => text::text().boxed(),
        Field::AddressLine1 | Field::AddressLine2 => text::address().boxed(),
        Field::State => state::state().boxed(),
        Field::Zip => numbers::zip().boxed(),
        Field::Email => contact::email().boxed(),
        Field::Phone => contact::phone().boxed(),
        Field::OpenedOn | Field::SettledOn => date::date().boxed(),
        Field::ExternalId => numbers::external_id().boxed(),
        Field::DoNotMail => text::flag().boxed(),
    }
}
