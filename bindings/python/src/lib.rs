//! The rules as the extension module of the Python package. `matterbook_rules/_native.pyi` describes what each
//! function takes and returns.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic))]

mod address;
mod arrow;
mod column;
mod field;
mod matching;
mod record;
mod results;
mod value;

use pyo3::prelude::*;

/// The extension module.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::{
        address::{MailingAddress, fields_of_columns, mailing_address},
        arrow::normalize_arrow,
        column::{normalize_column, normalize_value},
        matching::{MatchKey, StreetParts, fold_name, fold_street, match_key, same_person, street_parts},
        record::normalize_record,
    };

    use matterbook_rules::normalize::Field;
    use pyo3::{prelude::*, types::PyTuple};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("FIELDS", PyTuple::new(module.py(), Field::RECORD.map(Field::name))?)
    }
}
