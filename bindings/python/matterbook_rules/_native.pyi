"""The extension module: the rules, compiled from the same code as the service."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, Protocol, final, overload

from ._results import Column, Field, NormalizedRecord, TextField

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: Any = None) -> Any: ...

FIELDS: Final[tuple[Field, ...]]
"""The names of the fields, in the order of a record."""

@overload
def normalize_value(field: TextField, value: object) -> str | None: ...
@overload
def normalize_value(field: Literal["do_not_mail"], value: object) -> bool | None:
    """The stored form of a value, by the rule of its field. ``None`` for a blank one.

    A value is a string, a number, a boolean, a ``datetime.date`` or a ``datetime.datetime``. ``None``, NaN,
    ``pandas.NA`` and ``pandas.NaT`` are missing values. A whole floating-point number is that integer, below 2**53.
    A date is stored as ``YYYY-MM-DD``.

    Raises ``RefusedValue`` if the rule refuses the value, ``TypeError`` if it is of another type, and
    ``ValueError`` if there is no such field.
    """

@overload
def normalize_column(field: TextField, values: Iterable[object]) -> Column[list[str | None]]: ...
@overload
def normalize_column(field: Literal["do_not_mail"], values: Iterable[object]) -> Column[list[bool | None]]:
    """Normalizes the values of one field. A refused value is a problem of its row, not an exception.

    Raises ``TypeError`` if a value is of a type that ``normalize_value`` does not take, and ``ValueError`` if there
    is no such field.
    """

def normalize_arrow(field: Field, values: _ArrowStream | _ArrowArray) -> Column[_ArrowStream]:
    """Normalizes an Arrow column of any library that has the Arrow PyCapsule interface, such as pyarrow, polars and
    DuckDB.

    The values can be strings, integers, floating-point numbers, booleans, dates and timestamps. The result has
    strings, for ``do_not_mail`` booleans, and is an Arrow stream: ``pyarrow.chunked_array(column.values)`` and
    ``polars.Series(column.values)`` take it without a copy. Other threads run in the meantime.

    Raises ``TypeError`` if the column has another type, and ``ValueError`` if there is no such field.
    """

def normalize_record(record: Mapping[str, object]) -> NormalizedRecord:
    """Normalizes all fields of a record, such as a row of ``csv.DictReader``.

    Raises ``TypeError`` if a value is of a type that ``normalize_value`` does not take.
    """

def same_person(one: Mapping[str, object], other: Mapping[str, object]) -> bool:
    """Whether two records have the same name, street and ZIP, and have all three.

    The values are normalized first. A refused value counts as missing. To compare a record many times, keep its
    ``match_key``.

    Raises ``TypeError`` if a value is of a type that ``normalize_value`` does not take.
    """

def match_key(record: Mapping[str, object]) -> MatchKey:
    """What is compared of a record. The values are normalized first. A refused value counts as missing.

    Raises ``TypeError`` if a value is of a type that ``normalize_value`` does not take.
    """

def fold_name(name: str) -> str:
    """A name as it is compared: without case, accents, apostrophes and dots."""

def fold_street(line1: str) -> str:
    """The first line of an address as it is compared: in lower case, in its USPS Publication 28 form."""

def street_parts(line1: str) -> StreetParts:
    """The street and the unit of the first line of an address, each as it is compared."""

def mailing_address(record: Mapping[str, object]) -> MailingAddress:
    """The address of a record as USPS Publication 28 prefers it on an envelope: in capitals, without punctuation,
    with the standard abbreviations. Store the address as written: accents and apostrophes do not come back.

    Raises ``TypeError`` if a value is of a type that ``normalize_value`` does not take.
    """

def fields_of_columns(headers: Sequence[str]) -> list[Field | None]:
    """Which field each column of an export holds, by its header. Each field is given once, to the column that fits
    best."""

@final
class MailingAddress:
    """The lines of an address on an envelope. ``str`` puts them under each other."""

    @property
    def attention_line(self) -> str | None:
        """What the second line says besides a unit, such as ``C O RUIZ``. It stands above the street."""
    @property
    def delivery_line(self) -> str | None:
        """House number, street and unit."""
    @property
    def last_line(self) -> str | None:
        """City, state and ZIP, as far as they are known."""

@final
class MatchKey:
    """What is compared of a record. Two keys can be one person's though they are not equal: ask ``same_person``."""

    @property
    def name(self) -> str | None:
        """First and last name, folded, with U+001F between them."""
    @property
    def street(self) -> str | None:
        """The street in its USPS Publication 28 form, without the units at its end."""
    @property
    def unit(self) -> str | None:
        """The unit at the end of the first line."""
    @property
    def line2_unit(self) -> str | None:
        """The unit of the second line, where the first has none."""
    @property
    def zip5(self) -> str | None:
        """The first five digits of the ZIP."""
    def same_person(self, other: MatchKey) -> bool:
        """Whether both have the same name, street and ZIP, and have all three."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class StreetParts:
    """A street and its unit, each as it is compared."""

    @property
    def street(self) -> str: ...
    @property
    def unit(self) -> str | None: ...
