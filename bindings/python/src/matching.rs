//! What is compared of a record, and whether two records are one person's.

use matterbook_rules::matching;
use pyo3::{prelude::*, types::PyMapping};

use crate::record::fields_of;

/// What is compared of a record.
#[pyclass(frozen, eq, hash, module = "matterbook_rules")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct MatchKey(matching::MatchKey);

#[pymethods]
impl MatchKey {
    #[getter]
    fn name(&self) -> Option<&str> {
        self.0.name.as_deref()
    }

    #[getter]
    fn street(&self) -> Option<&str> {
        self.0.street.as_deref()
    }

    #[getter]
    fn unit(&self) -> Option<&str> {
        self.0.unit.as_deref()
    }

    #[getter]
    fn line2_unit(&self) -> Option<&str> {
        self.0.line2_unit.as_deref()
    }

    #[getter]
    fn zip5(&self) -> Option<&str> {
        self.0.zip5.as_deref()
    }

    fn same_person(&self, other: &Self) -> bool {
        matching::same_person(&self.0, &other.0)
    }
}

/// A street and its unit, each as it is compared.
#[pyclass(frozen, module = "matterbook_rules")]
pub(crate) struct StreetParts(matching::StreetParts);

#[pymethods]
impl StreetParts {
    #[getter]
    fn street(&self) -> &str {
        &self.0.street
    }

    #[getter]
    fn unit(&self) -> Option<&str> {
        self.0.unit.as_deref()
    }
}

/// What is compared of a record.
#[pyfunction]
pub(crate) fn match_key(record: &Bound<'_, PyMapping>) -> PyResult<MatchKey> {
    Ok(MatchKey(matching::MatchKey::of(&fields_of(record)?)))
}

/// Whether two records are one person's.
#[pyfunction]
pub(crate) fn same_person(one: &Bound<'_, PyMapping>, other: &Bound<'_, PyMapping>) -> PyResult<bool> {
    Ok(match_key(one)?.same_person(&match_key(other)?))
}

/// A name as it is compared.
#[pyfunction]
pub(crate) fn fold_name(name: &str) -> String {
    matching::fold_name(name).into()
}

/// The first line of an address as it is compared.
#[pyfunction]
pub(crate) fn fold_street(line1: &str) -> String {
    matching::fold_street(line1).into()
}

/// The street and the unit of the first line of an address.
#[pyfunction]
pub(crate) fn street_parts(line1: &str) -> StreetParts {
    StreetParts(matching::StreetParts::of(line1))
}
