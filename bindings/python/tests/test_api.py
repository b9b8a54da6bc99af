"""What the package promises apart from the rules."""

import datetime
import decimal
import doctest
import pickle
from typing import Any

import numpy
import pandas
import polars
import pyarrow as pa
import pytest

import matterbook_rules as rules


def test_the_examples_of_the_package_run() -> None:
    assert doctest.testmod(rules).failed == 0


def test_a_value_is_normalized_blank_or_refused() -> None:
    assert rules.normalize_value("zip", 2134) == "02134"
    assert rules.normalize_value("do_not_mail", "no") is False
    assert rules.normalize_value("city", " \t ") is None
    with pytest.raises(rules.RefusedValue) as refused:
        rules.normalize_value("zip", "627041")
    assert refused.value.field == "zip"
    assert refused.value.kind == "zip_format"
    assert refused.value.message == "must have 5 or 9 digits, but has 6"
    assert str(refused.value) == "zip must have 5 or 9 digits, but has 6"
    assert isinstance(refused.value, ValueError)


def test_a_refused_value_can_be_pickled() -> None:
    with pytest.raises(rules.RefusedValue) as refused:
        rules.normalize_value("state", "Narnia")
    copy = pickle.loads(pickle.dumps(refused.value))
    assert (copy.field, copy.kind, str(copy)) == ("state", "unknown_state", str(refused.value))


@pytest.mark.parametrize(
    "value", [None, float("nan"), pandas.NA, pandas.NaT, numpy.float32("nan"), decimal.Decimal("NaN")]
)
def test_missing_values_are_blank(value: object) -> None:
    assert rules.normalize_value("external_id", value) is None
    assert rules.normalize_column("zip", [value, "60614"]).values == [None, "60614"]


def test_a_number_that_may_have_lost_digits_is_refused() -> None:
    values = [2.0**53, 1.5, float("inf"), numpy.float64(1e20), decimal.Decimal("1.5")]
    column = rules.normalize_column("external_id", [*values, 2.0**53 - 1])
    assert column.values == [None] * 5 + ["9007199254740991"]
    assert {problem.kind for problem in column.problems} == {"wrong_type"}


def test_the_scalars_of_other_libraries_are_values() -> None:
    assert rules.normalize_value("external_id", numpy.int64(2**62)) == str(2**62)
    assert rules.normalize_value("external_id", numpy.uint64(2**64 - 1)) == str(2**64 - 1)
    assert rules.normalize_value("do_not_mail", numpy.bool_(True)) is True
    assert rules.normalize_value("city", numpy.str_(" Reno ")) == "Reno"


def test_dates_are_values_and_keep_their_written_day() -> None:
    zone = datetime.timezone(datetime.timedelta(hours=-8))
    for value in [
        datetime.date(2026, 1, 5),
        datetime.datetime(2026, 1, 5, 23, 30, tzinfo=zone),
        pandas.Timestamp("2026-01-05 23:30"),
    ]:
        assert rules.normalize_value("opened_on", value) == "2026-01-05"


@pytest.mark.parametrize("value", [[], (), {}, {"a": 1}, ["60614"]])
def test_lists_and_dicts_are_refused(value: object) -> None:
    assert rules.normalize_record({"zip": value}).problems["zip"].kind == "wrong_type"


def test_half_of_a_surrogate_pair_is_refused() -> None:
    column = rules.normalize_column("city", ["Reno", "Re\ud83dno", "Re\0no"])
    assert column.values == ["Reno", None, None]
    assert [(problem.row, problem.kind) for problem in column.problems] == [
        (1, "invalid_unicode"),
        (2, "control_character"),
    ]


def test_a_column_can_be_any_iterable_but_a_text() -> None:
    assert rules.normalize_column("zip", iter([60614, "x"])).values == ["60614", None]
    assert rules.normalize_column("zip", numpy.array([60614, 501])).problems[0].row == 1
    assert rules.normalize_column("zip", []).values == []
    for text in ["60614", b"60614"]:
        with pytest.raises(TypeError):
            rules.normalize_column("zip", text)


def test_a_column_shows_no_client_data_in_a_log() -> None:
    assert repr(rules.normalize_column("last_name", ["Ruiz", 7])) == "<Column with 1 problems>"


def test_a_record_has_values_problems_and_the_names_that_are_ignored() -> None:
    record = {"first_name": " Ana ", "zip": 2134, "state": "Narnia", "city": "", "do_not_mail": False, "Zip": "60614"}
    values, problems, ignored = rules.normalize_record(record)
    assert values == {"first_name": "Ana", "zip": "02134", "do_not_mail": False}
    assert list(problems) == ["state"]
    assert problems["state"].kind == "unknown_state"
    assert ignored == ["Zip"]


def test_two_records_are_one_persons_if_name_street_and_zip_are_equal() -> None:
    one = {"first_name": "José", "last_name": "O'Neil", "address_line1": "12 North Oak Street", "zip": "02134-1001"}
    other = {"first_name": "JOSE", "last_name": "ONeil", "address_line1": "12 N. Oak St", "zip": 2134}
    assert rules.same_person(one, other)
    assert not rules.same_person(one, {**other, "zip": 2135})
    assert not rules.same_person({}, {})
    # A refused value is not compared.
    assert not rules.same_person({**one, "zip": "x"}, {**one, "zip": "x"})


def test_what_is_compared_can_be_read() -> None:
    key = rules.match_key({"first_name": "Ana", "last_name": "Li", "address_line1": "600 Canal Street Apt 4"})
    assert (key.name, key.street, key.unit, key.line2_unit, key.zip5) == ("ana\x1fli", "600 canal st", "4", None, None)
    assert {key: 1}[key] == 1
    assert key == rules.match_key({"last_name": "LI", "first_name": "ana", "address_line1": "600 Canal St #4"})
    assert rules.fold_name("O’Brien-Müller,  Jr.") == "obrien muller jr"
    assert rules.fold_street("77 North Main Street, Apartment #4") == "77 n main st apt 4"
    parts = rules.street_parts("600 Canal Street, Apartment #4")
    assert (parts.street, parts.unit) == ("600 canal st", "4")


def test_an_address_has_the_lines_of_an_envelope() -> None:
    record = {"address_line1": "600 North Canal Street", "address_line2": "c/o Ruiz", "city": "Reno", "zip": 89501}
    address = rules.mailing_address(record)
    assert (address.attention_line, address.delivery_line, address.last_line) == (
        "C O RUIZ",
        "600 N CANAL ST",
        "RENO 89501",
    )
    assert str(address) == "C O RUIZ\n600 N CANAL ST\nRENO 89501"


def test_columns_of_exports_are_recognized_each_field_once() -> None:
    headers = ["Client ID", "Given Name", "Home Zip", "Mailing Zip/Postal Code", "Notes", ""]
    assert rules.fields_of_columns(headers) == ["external_id", "first_name", None, "zip", None, None]
    assert rules.fields_of_columns([]) == []


def test_a_wrong_use_raises() -> None:
    with pytest.raises(ValueError, match='there is no field "ZIP"'):
        rules.normalize_value("ZIP", "60614")  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="a value cannot be of the type bytes"):
        rules.normalize_value("zip", b"60614")
    with pytest.raises(TypeError):
        rules.normalize_column("zip", 60614)  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        rules.normalize_record([])  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        rules.normalize_series("zip", ["60614"])


def test_a_series_keeps_its_index_and_name() -> None:
    series = pandas.Series([2134, "x", None], index=["a", "b", "c"], name="ZIP")
    column = rules.normalize_series("zip", series)
    expected = pandas.Series(["02134", None, None], index=["a", "b", "c"], name="ZIP", dtype="string")
    pandas.testing.assert_series_equal(column.values, expected)
    assert series.iloc[column.problems[0].row] == "x"
    flags = rules.normalize_series("do_not_mail", pandas.Series(["yes", "no", None])).values
    assert flags.dtype == "boolean" and flags.tolist() == [True, False, pandas.NA]


def test_whole_numbers_that_pandas_made_floats_are_read() -> None:
    series = pandas.Series([60614, None])
    assert series.dtype == "float64"
    assert rules.normalize_series("zip", series).values.tolist() == ["60614", pandas.NA]


@pytest.mark.parametrize(
    "kind", [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())]
)
def test_arrow_texts_of_every_kind_are_normalized(kind: pa.DataType) -> None:
    values = pa.chunked_array([pa.array(["2134", None], pa.string()), pa.array(["x"], pa.string())]).cast(kind)
    column = rules.normalize_arrow("zip", values)
    assert pa.chunked_array(column.values).to_pylist() == ["02134", None, None]
    assert [(problem.row, problem.kind) for problem in column.problems] == [(2, "zip_format")]


def test_arrow_numbers_flags_and_dates_are_normalized() -> None:
    def normalized(field: rules.Field, values: Any) -> Any:
        return pa.chunked_array(rules.normalize_arrow(field, values).values).to_pylist()

    assert normalized("zip", pa.array([2134, None], pa.int32())) == ["02134", None]
    assert normalized("external_id", pa.array([2**64 - 1], pa.uint64())) == [str(2**64 - 1)]
    assert normalized("zip", pa.array([60614.0, float("nan"), None])) == ["60614", None, None]
    assert normalized("do_not_mail", pa.array([True, False, None])) == [True, False, None]
    assert normalized("do_not_mail", pa.array(["yes", "no", ""])) == [True, False, None]
    day = datetime.date(2026, 1, 5)
    assert normalized("opened_on", pa.array([day, None])) == ["2026-01-05", None]
    assert normalized("opened_on", pa.array([datetime.datetime(2026, 1, 5, 23, 30)])) == ["2026-01-05"]
    assert normalized("city", pa.nulls(2)) == [None, None]
    assert normalized("city", pa.array([], pa.string())) == []


def test_an_arrow_column_of_another_type_is_refused() -> None:
    for values in [pa.array([[1]]), pa.array([b"1"]), pa.array([{"a": 1}])]:
        with pytest.raises(TypeError, match="a value cannot be of the type"):
            rules.normalize_arrow("zip", values)
    with pytest.raises(TypeError):
        rules.normalize_arrow("zip", [1])  # type: ignore[arg-type]


def test_polars_takes_and_gives_columns() -> None:
    column = rules.normalize_arrow("phone", polars.Series(["(617) 555-0142 x9", None, "12"]))
    assert polars.Series(column.values).to_list() == ["+16175550142", None, None]
    assert column.problems[0].row == 2


def test_a_slice_of_an_arrow_column_is_normalized_alone() -> None:
    column = rules.normalize_arrow("zip", pa.array(["x", "60614", "y"]).slice(1, 1))
    assert pa.chunked_array(column.values).to_pylist() == ["60614"]
    assert column.problems == []
