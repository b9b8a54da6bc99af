//! A client as a caller sends it.

use super::ClientFields;
use crate::normalize::{self, FieldValue, Problem};

/// A client as a caller sent it, normalized.
///
/// It can be made without JSON: of [`ClientFields`], which have a [builder](ClientFields::builder).
///
/// Its `Debug` form shows client data: never log it.
///
/// ```
/// use matterbook_rules::client::{ClientFields, ClientInput};
/// let fields = ClientFields::builder().first_name("Ana").settled_on("2026-01-05").build()?;
/// let input = ClientInput::from(fields).with_new_settlement("yes")?;
/// assert_eq!(input.new_settlement, Some(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientInput {
    /// The fields that were given.
    pub fields: ClientFields,
    /// Whether a different settled date is a new settlement; `None` leaves it to the endpoint.
    pub new_settlement: Option<bool>,
}

impl ClientInput {
    /// The same input with this `new_settlement`.
    ///
    /// # Errors
    /// When the value is neither blank nor a yes or no.
    pub fn with_new_settlement<'a>(self, value: impl Into<FieldValue<'a>>) -> Result<Self, Problem> {
        Ok(Self { new_settlement: normalize::boolean(&value.into())?, ..self })
    }
}

impl From<ClientFields> for ClientInput {
    fn from(fields: ClientFields) -> Self {
        Self { fields, new_settlement: None }
    }
}
