//! Results as Python objects: the classes of `matterbook_rules/_results.py`.

use matterbook_rules::{
    client::StoredValue,
    normalize::{Field, Problem},
};
use pyo3::{
    import_exception,
    prelude::*,
    sync::PyOnceLock,
    types::{PyBool, PyList, PyString, PyType},
};

import_exception!(matterbook_rules._results, RefusedValue);

/// A stored value as a `str` or a `bool`, a blank one as `None`.
pub(crate) fn stored<'py>(py: Python<'py>, value: Option<&StoredValue>) -> Bound<'py, PyAny> {
    match value {
        Some(StoredValue::Text(text)) => PyString::new(py, text).into_any(),
        Some(StoredValue::Bool(value)) => PyBool::new(py, *value).to_owned().into_any(),
        None => py.None().into_bound(py),
    }
}

/// The exception of a refused value.
pub(crate) fn refused(field: Field, problem: &Problem) -> PyErr {
    RefusedValue::new_err((field.name(), problem.kind().name(), problem.to_string()))
}

/// A `Problem`.
pub(crate) fn problem<'py>(py: Python<'py>, problem: &Problem) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, RESULTS, "Problem")?.call1((problem.kind().name(), problem.to_string()))
}

/// A `Column` of values and of the problems of its rows.
pub(crate) fn column<'py>(
    py: Python<'py>,
    values: Bound<'py, PyAny>,
    problems: Vec<(usize, Problem)>,
) -> PyResult<Bound<'py, PyAny>> {
    static COLUMN: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static ROW: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let row_problem = ROW.import(py, RESULTS, "RowProblem")?;
    let rows = PyList::empty(py);
    for (row, problem) in problems {
        rows.append(row_problem.call1((row, problem.kind().name(), problem.to_string()))?)?;
    }
    COLUMN.import(py, RESULTS, "Column")?.call1((values, rows))
}

/// A `NormalizedRecord`.
pub(crate) fn record<'py>(
    values: Bound<'py, PyAny>,
    problems: Bound<'py, PyAny>,
    ignored: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(values.py(), RESULTS, "NormalizedRecord")?.call1((&values, problems, ignored))
}

const RESULTS: &str = "matterbook_rules._results";
