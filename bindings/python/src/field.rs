//! Fields by their names.

use matterbook_rules::normalize::Field;
use pyo3::{exceptions::PyValueError, prelude::*};

/// The field of a name.
pub(crate) fn field_of(name: &str) -> PyResult<Field> {
    Field::from_name(name).ok_or_else(|| PyValueError::new_err(format!("there is no field {name:?}")))
}
