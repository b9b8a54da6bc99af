"""Holds the package to the shared vectors: every case, as a value, in a record, in a column and in an Arrow column."""

import json
import os
import pathlib
from typing import Any

import pyarrow as pa
import pytest

import matterbook_rules as rules

DATA = pathlib.Path(os.environ["MATTERBOOK_VECTORS"])
FILES = ["vectors.json", "more_vectors.json"]

FIELDS_OF_RULE = {
    "boolean": ["do_not_mail"],
    "date": ["opened_on", "settled_on"],
    "email": ["email"],
    "external_id": ["external_id"],
    "phone": ["phone"],
    "state": ["state"],
    "zip": ["zip"],
}

# Some kinds are more exact than the words of the vectors (rules/tests/vectors.rs).
EXACT = {"control_character", "invalid_unicode", "two_numbers"}

Refused = tuple[str, str]


def vectors(name: str) -> list[dict[str, Any]]:
    file = json.loads((DATA / name).read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = file["vectors"]
    assert len(found) == file["counts"]["total"] > 0
    return found


def cases(name: str) -> list[tuple[str, Any, Any, dict[str, Any]]]:
    """The id, field, input and expectation of each normalizing case."""
    found = []
    for vector in vectors(name):
        if vector["rule"] == "match":
            continue
        # Python's integers have any number of digits.
        value = json.loads(vector["input_raw"]) if "input_raw" in vector else vector.get("input")
        for field in [vector["field"]] if "field" in vector else FIELDS_OF_RULE[vector["rule"]]:
            found.append((vector["id"], field, value, vector["expect"]))
    return found


def is_expected(found: str | bool | None | Refused, expect: dict[str, Any]) -> bool:
    if isinstance(found, tuple):
        kind, message = found
        return "error" in expect and (kind == expect["error"] or kind in EXACT) and message != ""
    return "error" not in expect and found == expect.get("ok") and type(found) is type(expect.get("ok"))


def in_rows(column: rules.Column[Any], values: list[Any]) -> list[Any]:
    refused = {problem.row: (problem.kind, problem.message) for problem in column.problems}
    assert all(values[row] is None for row in refused)
    return [refused.get(row, value) for row, value in enumerate(values)]


@pytest.mark.parametrize("name", FILES)
def test_every_value_has_the_expected_result(name: str) -> None:
    failures: list[Any] = []
    for case, field, value, expect in cases(name):
        try:
            found: Any = rules.normalize_value(field, value)
        except rules.RefusedValue as refused:
            assert refused.field == field
            found = (refused.kind, refused.message)
        if not is_expected(found, expect):
            failures.append((case, found))
        record = rules.normalize_record({field: value})
        found = record.problems.get(field, record.values.get(field))
        if not is_expected(found and (tuple(found) if isinstance(found, tuple) else found), expect):
            failures.append((case, "in a record", found))
    assert failures == []


@pytest.mark.parametrize("name", FILES)
def test_every_column_has_the_expected_results(name: str) -> None:
    failures: list[Any] = []
    for field in rules.FIELDS:
        of_field = [case for case in cases(name) if case[1] == field]
        column = rules.normalize_column(field, [value for _, _, value, _ in of_field])
        assert len(column.values) == len(of_field)
        for (case, _, _, expect), found in zip(of_field, in_rows(column, column.values)):
            if not is_expected(found, expect):
                failures.append((case, found))
    assert failures == []


@pytest.mark.parametrize("name", FILES)
def test_every_arrow_column_has_the_expected_results(name: str) -> None:
    """Arrow has one type for a column, so the cases are sorted by the types of their inputs. It has no half of a
    surrogate pair, and no arrays and objects among the types that a column can have here."""
    failures: list[Any] = []
    tried = 0
    for field in rules.FIELDS:
        for kind, arrow_type in [(str, pa.string()), (bool, pa.bool_()), (int, None), (float, pa.float64())]:
            of_kind = [case for case in cases(name) if case[1] == field and fits(case[2], kind)]
            values = [value for _, _, value, _ in of_kind]
            column = rules.normalize_arrow(field, pa.array(values, arrow_type or pa.int64()))
            found_values = pa.chunked_array(column.values).to_pylist()
            assert len(found_values) == len(of_kind)
            for (case, _, _, expect), found in zip(of_kind, in_rows(column, found_values)):
                tried += 1
                if not is_expected(found, expect):
                    failures.append((case, found))
    assert failures == []
    assert tried > 0.95 * len(cases(name)) - 30


def fits(value: Any, kind: type) -> bool:
    if isinstance(value, str):
        return kind is str and not any("\ud800" <= character <= "\udfff" for character in value)
    if isinstance(value, bool):
        return kind is bool
    if isinstance(value, int):
        return kind is int and -(2**63) <= value < 2**63
    return isinstance(value, kind)


@pytest.mark.parametrize("name", FILES)
def test_every_pair_of_records_is_compared_as_expected(name: str) -> None:
    failures: list[Any] = []
    for vector in vectors(name):
        if vector["rule"] != "match":
            continue
        one, other, expected = vector["a"], vector["b"], vector["expect"]["equal"]
        if rules.same_person(one, other) is not expected or rules.same_person(other, one) is not expected:
            failures.append(vector["id"])
        if rules.match_key(one).same_person(rules.match_key(other)) is not expected:
            failures.append((vector["id"], "by keys"))
    assert failures == []
