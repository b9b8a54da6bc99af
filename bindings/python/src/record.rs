//! Whole records.

use matterbook_rules::{
    client::{ClientFields, stored_value},
    normalize::Field,
};
use pyo3::{
    prelude::*,
    types::{PyDict, PyList, PyMapping, PyString},
};

use crate::{
    results::{self, problem, stored},
    value::field_value,
};

/// Normalizes all fields of a record.
#[pyfunction]
pub(crate) fn normalize_record<'py>(record: &Bound<'py, PyMapping>) -> PyResult<Bound<'py, PyAny>> {
    let py = record.py();
    let (values, problems, ignored) = (PyDict::new(py), PyDict::new(py), PyList::empty(py));
    for (field, value) in values_of(record)? {
        match stored_value(field, &field_value(&value)?) {
            Ok(None) => {}
            Ok(Some(found)) => values.set_item(field.name(), stored(py, Some(&found)))?,
            Err(found) => problems.set_item(field.name(), problem(py, &found)?)?,
        }
    }
    for name in record.keys()? {
        if field_named(&name).is_none() {
            ignored.append(name)?;
        }
    }
    results::record(values.into_any(), problems.into_any(), ignored.into_any())
}

/// The fields of a record. A refused one is empty.
pub(crate) fn fields_of(record: &Bound<'_, PyMapping>) -> PyResult<ClientFields> {
    let mut fields = ClientFields::default();
    for (field, value) in values_of(record)? {
        // A refused value leaves its field empty.
        let _ = fields.set(field, field_value(&value)?);
    }
    Ok(fields)
}

/// The values of a record that belong to a field, in the order of [`Field::RECORD`].
fn values_of<'py>(record: &Bound<'py, PyMapping>) -> PyResult<Vec<(Field, Bound<'py, PyAny>)>> {
    let mut values = Vec::with_capacity(Field::RECORD.len());
    for item in record.items()? {
        let (name, value): (Bound<'py, PyAny>, Bound<'py, PyAny>) = item.extract()?;
        values.extend(field_named(&name).map(|field| (field, value)));
    }
    values.sort_by_key(|(field, _)| Field::RECORD.iter().position(|known| known == field));
    Ok(values)
}

fn field_named(name: &Bound<'_, PyAny>) -> Option<Field> {
    Field::from_name(name.cast::<PyString>().ok()?.to_str().ok()?)
}
