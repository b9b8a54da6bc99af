//! What a form or a query string holds.

use std::borrow::Cow;

use matterbook_core::{
    chrono::NaiveDate,
    normalize::{self, FieldValue},
    time::{Timestamp, iso_date, parse_iso_date},
};
use maud::{Markup, html};

/// A field as it was typed, and what is wrong with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Field {
    /// The text.
    pub value: String,
    /// A sentence that says what to fix.
    pub fault: Option<&'static str>,
}

impl Field {
    /// The date of a field without a fault.
    pub(crate) fn as_date(&self) -> Option<NaiveDate> {
        parse_iso_date(&self.value)
    }

    /// The sentence about what to fix, below its field.
    #[must_use]
    pub fn fault(&self) -> Markup {
        html! { @if let Some(fault) = self.fault { p.fault { (fault) } } }
    }

    /// A labelled field for a date.
    #[must_use]
    pub fn date_input(&self, name: &str, label: &str) -> Markup {
        html! {
            div {
                label for=(name) { (label) }
                input id=(name) name=(name) type="date" value=(self.value) aria-invalid=[self.fault.map(|_| "true")];
                (self.fault())
            }
        }
    }
}

/// The pairs of a form or a query string.
#[derive(Debug, Default)]
pub(crate) struct Form<'a> {
    pairs: Vec<(Cow<'a, str>, Cow<'a, str>)>,
}

impl<'a> Form<'a> {
    pub(crate) fn parse(text: &'a [u8]) -> Self {
        Self { pairs: form_urlencoded::parse(text).collect() }
    }

    /// The first value of that name, without white space around it; empty if there is none.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.pairs.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value.trim())
    }

    /// A text that is at most so many characters long and has no control characters.
    pub(crate) fn field(&self, name: &str, length_max: usize) -> Field {
        let value = self.text(name).to_owned();
        let fault = if value.chars().count() > length_max {
            Some("This is too long.")
        } else if value.chars().any(char::is_control) {
            Some("This has characters that cannot be read.")
        } else {
            None
        };
        Field { value, fault }
    }

    /// A date, as a field of type `date` sends it or as a person writes it. The value is what a field of type `date`
    /// shows.
    pub(crate) fn date(&self, name: &str) -> (Field, Option<NaiveDate>) {
        let typed = self.text(name);
        if typed.is_empty() {
            return (Field::default(), None);
        }
        match parse_iso_date(typed).or_else(|| normalize::date(&FieldValue::from(typed)).ok().flatten()) {
            Some(date) => (Field { value: iso_date(date).to_string(), fault: None }, Some(date)),
            None => (Field { value: typed.to_owned(), fault: Some("Write this date as 01/31/2026.") }, None),
        }
    }
}

/// A position of a list as the address of a page holds it: the microseconds and the id.
pub(crate) fn position(text: &str) -> Option<matterbook_core::store::Position> {
    let (at, id) = text.split_once('.')?;
    let at = Timestamp::from_micros(at.parse().ok()?);
    Some(matterbook_core::store::Position { at, id: id.parse().ok()? })
}

/// The text that [`position`] reads.
pub(crate) fn position_text(position: matterbook_core::store::Position) -> String {
    format!("{}.{}", position.at.micros(), position.id.simple())
}
