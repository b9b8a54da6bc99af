//! Builds the fields of a client from values as they come, without JSON.

use alloc::{borrow::Cow, vec::Vec};

use super::{ClientFields, Field, Member, ParseError, StoredValue, stored_text};
use crate::normalize::{self, FieldValue, Problem, iso_date};

/// Builds [`ClientFields`] value by value, each by the rule of its field. Problems are collected.
///
/// Its `Debug` form shows client data: never log it.
///
/// ```
/// use matterbook_rules::client::{ClientFields, Field};
/// let row =
///     [("first_name", " Ana "), ("zip", "2134"), ("opened_on", "Jan 5, 2026"), ("shoe", "9")];
/// let mut builder = ClientFields::builder().state("Massachusetts").do_not_mail(true);
/// for (column, value) in row {
///     if let Ok(field) = column.parse::<Field>() {
///         builder = builder.set(field, value);
///     }
/// }
/// let fields = builder.build()?;
/// assert_eq!(fields.get(Field::Zip).as_deref(), Some("02134"));
/// assert_eq!(fields.get(Field::OpenedOn).as_deref(), Some("2026-01-05"));
/// # Ok::<(), matterbook_rules::client::ParseError>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "a builder does nothing until `build`"]
pub struct ClientFieldsBuilder {
    fields: ClientFields,
    problems: Vec<(Field, Problem)>,
}

impl ClientFieldsBuilder {
    /// Sets a field by its rule. A blank value is not given. The last of two values counts.
    pub fn set<'a>(mut self, field: Field, value: impl Into<FieldValue<'a>>) -> Self {
        self.problems.retain(|(refused, _)| *refused != field);
        if let Err(problem) = self.fields.set(field, value) {
            self.problems.push((field, problem));
        }
        self
    }

    /// The fields.
    ///
    /// # Errors
    /// Every problem, in the order of an input.
    pub fn build(mut self) -> Result<ClientFields, ParseError> {
        if self.problems.is_empty() {
            return Ok(self.fields);
        }
        self.problems.sort_by_key(|(field, _)| *field);
        let problems = self.problems.into_iter().map(|(field, problem)| (Member::Field(field), problem));
        Err(ParseError::new(problems.collect()).of_do_not_mail(self.fields.do_not_mail))
    }
}

impl ClientFields {
    /// A builder without any field.
    pub fn builder() -> ClientFieldsBuilder {
        ClientFieldsBuilder::default()
    }

    /// Sets a field by its rule. A blank value makes it unknown.
    ///
    /// # Errors
    /// What is wrong with the value. The field is unknown then.
    ///
    /// ```
    /// use matterbook_rules::client::{ClientFields, Field};
    /// let mut fields = ClientFields::default();
    /// fields.set(Field::Phone, "(617) 555-0142")?;
    /// assert_eq!(fields.phone.as_deref(), Some("+16175550142"));
    /// # Ok::<(), matterbook_rules::normalize::Problem>(())
    /// ```
    pub fn set<'a>(&mut self, field: Field, value: impl Into<FieldValue<'a>>) -> Result<(), Problem> {
        let value = value.into();
        if let Some((_, text)) = self.texts_mut().into_iter().find(|(of, _)| *of == field) {
            *text = None;
            *text = stored_text(field, &value)?;
        } else if let Some((_, date)) = self.dates_mut().into_iter().find(|(of, _)| *of == field) {
            *date = None;
            *date = normalize::date(&value)?;
        } else {
            self.do_not_mail = false;
            self.do_not_mail = normalize::boolean(&value)?.unwrap_or_default();
        }
        Ok(())
    }

    /// The stored form of a field; `None` where it is not known. `do_not_mail` is `true` or `None`.
    #[must_use]
    pub fn get(&self, field: Field) -> Option<Cow<'_, str>> {
        if let Some((_, text)) = self.texts().into_iter().find(|(of, _)| *of == field) {
            return text.as_deref().map(Cow::Borrowed);
        }
        if let Some((_, date)) = self.dates().into_iter().find(|(of, _)| *of == field) {
            return date.map(|date| Cow::Owned(iso_date(date).into()));
        }
        self.do_not_mail.then_some(Cow::Borrowed("true"))
    }

    /// Whether no field is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl From<StoredValue> for FieldValue<'_> {
    fn from(value: StoredValue) -> Self {
        match value {
            StoredValue::Text(text) => text.into(),
            StoredValue::Bool(value) => value.into(),
        }
    }
}
