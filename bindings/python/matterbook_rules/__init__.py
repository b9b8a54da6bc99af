"""Normalizes and matches US client data, by the rules of Matterbook.

>>> import matterbook_rules as rules
>>> rules.normalize_value("zip", 2134)
'02134'
>>> rules.normalize_value("state", "Narnia")
Traceback (most recent call last):
    ...
matterbook_rules.RefusedValue: state must be a US state: a two-letter USPS code or the state's full name
>>> rules.normalize_column("phone", ["(617) 555-0142 x9", None]).values
['+16175550142', None]
"""

from ._native import (
    FIELDS,
    MailingAddress,
    MatchKey,
    StreetParts,
    fields_of_columns,
    fold_name,
    fold_street,
    mailing_address,
    match_key,
    normalize_arrow,
    normalize_column,
    normalize_record,
    normalize_value,
    same_person,
    street_parts,
)
from ._results import Column, Field, NormalizedRecord, Problem, RefusedValue, RowProblem, TextField
from ._series import normalize_series

__all__ = [
    "FIELDS",
    "Column",
    "Field",
    "MailingAddress",
    "MatchKey",
    "NormalizedRecord",
    "Problem",
    "RefusedValue",
    "RowProblem",
    "StreetParts",
    "TextField",
    "fields_of_columns",
    "fold_name",
    "fold_street",
    "mailing_address",
    "match_key",
    "normalize_arrow",
    "normalize_column",
    "normalize_record",
    "normalize_series",
    "normalize_value",
    "same_person",
    "street_parts",
]
