//! Python's values as the input of a rule.

use std::borrow::Cow;

use matterbook_rules::normalize::FieldValue;
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    sync::PyOnceLock,
    types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyType},
};

/// A value as the input of a rule.
///
/// # Errors
/// `TypeError` for a type that has no meaning as a value. `ValueError` for an integer of more digits than Python
/// turns into a text.
pub(crate) fn field_value<'a>(value: &'a Bound<'_, PyAny>) -> PyResult<FieldValue<'a>> {
    if let Ok(text) = value.cast::<PyString>() {
        // A text that is not valid Unicode has half of a surrogate pair.
        return Ok(text.to_str().map_or(FieldValue::LoneSurrogate, |text| FieldValue::Text(Cow::Borrowed(text))));
    }
    if value.is_none() {
        return Ok(FieldValue::Absent);
    }
    if let Ok(value) = value.cast::<PyBool>() {
        return Ok(FieldValue::Bool(value.is_true()));
    }
    if value.is_instance_of::<PyInt>() {
        return number(value);
    }
    if let Ok(number) = value.cast::<PyFloat>() {
        return Ok(number.value().into());
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        return Ok(FieldValue::Array);
    }
    if value.is_instance_of::<PyDict>() {
        return Ok(FieldValue::Object);
    }
    other(value)
}

/// A value of another library.
fn other<'a>(value: &'a Bound<'_, PyAny>) -> PyResult<FieldValue<'a>> {
    let class = value.get_type();
    // `pandas.NaT` is a date for `isinstance`.
    if matches!(class.name()?.to_str()?, "NAType" | "NaTType") {
        return Ok(FieldValue::Absent);
    }
    static DATE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    if value.is_instance(DATE.import(value.py(), "datetime", "date")?)? {
        return Ok(FieldValue::Text(Cow::Owned(value.call_method0("isoformat")?.extract()?)));
    }
    // The scalars of NumPy.
    if let Ok(value) = value.extract::<bool>() {
        return Ok(FieldValue::Bool(value));
    }
    if let Ok(index) = value.call_method0("__index__") {
        return number(&index);
    }
    if let Ok(float) = value.call_method0("__float__") {
        let float: f64 = float.extract()?;
        return Ok(float.into());
    }
    Err(PyTypeError::new_err(format!("a value cannot be of the type {}", class.name()?)))
}

fn number<'a>(value: &Bound<'_, PyAny>) -> PyResult<FieldValue<'a>> {
    Ok(FieldValue::Number(Cow::Owned(value.str()?.extract()?)))
}
