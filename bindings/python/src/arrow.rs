//! Columns of Arrow, by the Arrow PyCapsule interface.

use std::{borrow::Cow, sync::Arc};

use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, StringViewArray,
    builder::{BooleanBuilder, StringBuilder},
    cast::AsArray as _,
    types::Float64Type,
};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType, Field as ArrowField};
use matterbook_rules::{
    client::{StoredValue, stored_value},
    normalize::{Field, FieldValue, Problem},
};
use pyo3::{exceptions::PyTypeError, prelude::*};
use pyo3_arrow::{PyChunkedArray, error::PyArrowResult, input::AnyArray};

use crate::{field::field_of, results};

/// Normalizes an Arrow column.
#[pyfunction]
pub(crate) fn normalize_arrow<'py>(field: &str, values: &Bound<'py, PyAny>) -> PyArrowResult<Bound<'py, PyAny>> {
    let py = values.py();
    let field = field_of(field)?;
    if !values.hasattr("__arrow_c_stream__")? && !values.hasattr("__arrow_c_array__")? {
        return Err(PyTypeError::new_err("the values must be an Arrow array or stream").into());
    }
    let (chunks, sent) = values.extract::<AnyArray>()?.into_chunked_array()?.into_inner();
    let Some(kind) = Kind::of(sent.data_type()) else {
        let problem = format!("a value cannot be of the type {}", sent.data_type());
        return Err(PyTypeError::new_err(problem).into());
    };
    let mut column = ArrowColumn { field, kind, rows: 0, problems: Vec::new() };
    let normalized: Vec<ArrayRef> = py.detach(|| {
        let parts = chunks.iter().flat_map(parts);
        parts.map(|part| column.normalized(&part)).collect::<Result<_, ArrowError>>()
    })?;
    let stored = if field == Field::DoNotMail { DataType::Boolean } else { DataType::Utf8 };
    let values = PyChunkedArray::try_new(normalized, Arc::new(ArrowField::new(field.name(), stored, true)))?;
    Ok(results::column(py, values.into_pyobject(py)?.into_any(), column.problems)?)
}

/// A text has at most 320 characters (rule N31), so the texts of a part are shorter than the 2 GiB that its
/// offsets can count.
const PART_ROWS: usize = 1 << 20;

/// A chunk in parts of a bounded length.
fn parts(chunk: &ArrayRef) -> impl Iterator<Item = ArrayRef> {
    (0..chunk.len()).step_by(PART_ROWS).map(|start| chunk.slice(start, PART_ROWS.min(chunk.len() - start)))
}

struct ArrowColumn {
    field: Field,
    kind: Kind,
    /// The rows of the parts before this one.
    rows: usize,
    problems: Vec<(usize, Problem)>,
}

impl ArrowColumn {
    fn normalized(&mut self, part: &ArrayRef) -> Result<ArrayRef, ArrowError> {
        let values = Values::of(self.kind, part)?;
        let stored = (0..part.len()).map(|row| {
            stored_value(self.field, &values.get(row)).unwrap_or_else(|problem| {
                self.problems.push((self.rows + row, problem));
                None
            })
        });
        let normalized: ArrayRef = if self.field == Field::DoNotMail {
            let mut flags = BooleanBuilder::with_capacity(part.len());
            stored.for_each(|value| match value {
                Some(StoredValue::Bool(value)) => flags.append_value(value),
                _ => flags.append_null(),
            });
            Arc::new(flags.finish())
        } else {
            let mut texts = StringBuilder::with_capacity(part.len(), part.len() * 12);
            stored.for_each(|value| match value {
                Some(StoredValue::Text(text)) => texts.append_value(text),
                _ => texts.append_null(),
            });
            Arc::new(texts.finish())
        };
        self.rows += part.len();
        Ok(normalized)
    }
}

/// How the values of an array are read.
#[derive(Clone, Copy)]
enum Kind {
    Missing,
    Flags,
    Floats,
    Numbers,
    Texts,
}

impl Kind {
    /// That of a type, if its values can be read.
    fn of(data_type: &DataType) -> Option<Self> {
        Some(match data_type {
            DataType::Null => Self::Missing,
            DataType::Boolean => Self::Flags,
            DataType::Date32 | DataType::Date64 | DataType::Timestamp(..) => Self::Texts,
            DataType::Dictionary(_, values) => Self::of(values)?,
            other if other.is_string() => Self::Texts,
            other if other.is_floating() => Self::Floats,
            other if other.is_numeric() => Self::Numbers,
            _ => return None,
        })
    }
}

/// The values of an array.
enum Values {
    Missing,
    Flags(BooleanArray),
    Floats(Float64Array),
    Numbers(StringViewArray),
    Texts(StringViewArray),
}

impl Values {
    fn of(kind: Kind, array: &ArrayRef) -> Result<Self, ArrowError> {
        Ok(match kind {
            Kind::Missing => Self::Missing,
            Kind::Flags => Self::Flags(cast(array, &DataType::Boolean)?.as_boolean().clone()),
            Kind::Floats => Self::Floats(cast(array, &DataType::Float64)?.as_primitive::<Float64Type>().clone()),
            Kind::Numbers => Self::Numbers(texts(array)?),
            Kind::Texts => Self::Texts(texts(array)?),
        })
    }

    fn get(&self, row: usize) -> FieldValue<'_> {
        match self {
            Self::Flags(flags) if flags.is_valid(row) => flags.value(row).into(),
            Self::Floats(floats) if floats.is_valid(row) => floats.value(row).into(),
            Self::Numbers(tokens) if tokens.is_valid(row) => FieldValue::Number(Cow::Borrowed(tokens.value(row))),
            Self::Texts(texts) if texts.is_valid(row) => FieldValue::Text(Cow::Borrowed(texts.value(row))),
            _ => FieldValue::Absent,
        }
    }
}

fn texts(array: &ArrayRef) -> Result<StringViewArray, ArrowError> {
    // Texts are viewed, not copied. Other types are written as texts first.
    let written = if array.data_type().is_string() { Arc::clone(array) } else { cast(array, &DataType::Utf8)? };
    Ok(cast(&written, &DataType::Utf8View)?.as_string_view().clone())
}
