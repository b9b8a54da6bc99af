"""Columns of pandas."""

from __future__ import annotations

from typing import Any

from ._native import normalize_column
from ._results import Column, Field


def normalize_series(field: Field, series: Any) -> Column[Any]:
    """Normalizes a ``pandas.Series``.

    The result has the same index and name. It is of the dtype ``string``, for ``do_not_mail`` of ``boolean``, with
    ``pandas.NA`` where a value is blank or refused. A problem's row is a place: ``series.iloc[problem.row]``.

    Raises ``TypeError`` if the values are no Series or one is of a type that ``normalize_value`` does not take, and
    ``ValueError`` if there is no such field.
    """
    import pandas

    if not isinstance(series, pandas.Series):
        raise TypeError("the values must be a pandas.Series")
    column = normalize_column(field, series.tolist())
    dtype = "boolean" if field == "do_not_mail" else "string"
    values = pandas.Series(column.values, index=series.index, name=series.name, dtype=dtype)
    return Column(values, column.problems)
