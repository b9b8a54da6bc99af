//! Addresses on envelopes, and the columns of exports.

use matterbook_rules::{columns, normalize::Field};
use pyo3::{prelude::*, types::PyMapping};

use crate::record::fields_of;

/// The lines of an address on an envelope.
#[pyclass(frozen, module = "matterbook_rules")]
pub(crate) struct MailingAddress(matterbook_rules::MailingAddress);

#[pymethods]
impl MailingAddress {
    #[getter]
    fn attention_line(&self) -> Option<&str> {
        self.0.attention_line.as_deref()
    }

    #[getter]
    fn delivery_line(&self) -> Option<&str> {
        self.0.delivery_line.as_deref()
    }

    #[getter]
    fn last_line(&self) -> Option<&str> {
        self.0.last_line.as_deref()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }
}

/// The address of a record on an envelope.
#[pyfunction]
pub(crate) fn mailing_address(record: &Bound<'_, PyMapping>) -> PyResult<MailingAddress> {
    Ok(MailingAddress(matterbook_rules::MailingAddress::of(&fields_of(record)?)))
}

/// The field of each column of an export.
#[pyfunction]
pub(crate) fn fields_of_columns(headers: Vec<String>) -> Vec<Option<&'static str>> {
    columns::fields_of(&headers).into_iter().map(|field| field.map(Field::name)).collect()
}
