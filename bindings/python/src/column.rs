//! One value, and columns of Python objects.

use matterbook_rules::client::stored_value;
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyBytes, PyList, PyString},
};

use crate::{
    field::field_of,
    results::{self, refused, stored},
    value::field_value,
};

/// The stored form of a value, by the rule of its field.
#[pyfunction]
pub(crate) fn normalize_value<'py>(field: &str, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let field = field_of(field)?;
    match stored_value(field, &field_value(value)?) {
        Ok(found) => Ok(stored(value.py(), found.as_ref())),
        Err(problem) => Err(refused(field, &problem)),
    }
}

/// Normalizes the values of one field.
#[pyfunction]
pub(crate) fn normalize_column<'py>(field: &str, values: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let field = field_of(field)?;
    // A text is iterable too, and its characters are no column.
    if values.is_instance_of::<PyString>() || values.is_instance_of::<PyBytes>() {
        return Err(PyTypeError::new_err("the values must be a list or another iterable"));
    }
    let py = values.py();
    let normalized = PyList::empty(py);
    let mut problems = Vec::new();
    for (row, value) in values.try_iter()?.enumerate() {
        let value = value?;
        let found = stored_value(field, &field_value(&value)?).unwrap_or_else(|problem| {
            problems.push((row, problem));
            None
        });
        normalized.append(stored(py, found.as_ref()))?;
    }
    results::column(py, normalized.into_any(), problems)
}
