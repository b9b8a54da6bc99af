"""What the documents' own formats accept: values that the service must take. And keys that are new."""

import calendar
import datetime
import itertools
import re

import schemathesis
from hypothesis import strategies as st

CODES = ["AL", "AK", "AZ", "CA", "DC", "FL", "MA", "NY", "PR", "TX", "VI", "AE"]
NAMES = ["Florida", "florida", "Fla.", "New York", "N. Y.", "massachusetts", "washington dc", "Puerto Rico"]
WORDS = ["yes", "no", "Y", "n", "TRUE", "false", "t", "f", "1", "0", "On", "off"]

# Of the years that a standard date may have, the service takes two centuries.
DATES = st.dates(datetime.date(1900, 1, 1), datetime.date(2024, 12, 31))


def written(date: datetime.date) -> st.SearchStrategy:
    month = calendar.month_abbr[date.month]
    return st.sampled_from(
        [
            date.isoformat(),
            f"{date.isoformat()}T08:00:00-05:00",
            f"{date.month}/{date.day}/{date.year}",
            f"{date.month:02}/{date.day:02}/{date.year}",
            f"{month} {date.day}, {date.year}",
        ]
    )


def digits(least: int, most: int) -> st.SearchStrategy:
    return st.text("0123456789", min_size=least, max_size=most)


PHONES = st.tuples(st.sampled_from("23456789"), digits(9, 9)).map("".join)

for name, strategy in {
    "calendar-date": DATES.flatmap(written),
    "us-state": st.sampled_from(CODES + NAMES),
    "us-zip": st.one_of(digits(5, 5), digits(9, 9), st.tuples(digits(5, 5), digits(4, 4)).map("-".join)),
    "phone": st.one_of(
        PHONES,
        PHONES.map(lambda number: f"({number[:3]}) {number[3:6]}-{number[6:]}"),
        PHONES.map(lambda number: f"+1 {number} ext. 9"),
    ),
    "yes-or-no": st.sampled_from(WORDS),
    # A cursor is opaque, so none can be made up; an empty one counts as absent. Real ones come by the
    # documents' links.
    "cursor": st.just(""),
}.items():
    schemathesis.openapi.format(name, strategy)

NUMBERS = itertools.count()


@schemathesis.hook
def before_call(context, case, kwargs) -> None:
    """Makes each Idempotency-Key that is well-formed a new one, and sends no plan: reused, they would be refused.

    A plan belongs to the body of one dry run, so none can be made up, and that of an answer fits no other request.
    """
    if case.query:
        case.query.pop("plan", None)
    key = (case.headers or {}).get("Idempotency-Key")
    if isinstance(key, str) and re.fullmatch(r"[!-~]{1,255}", key):
        case.headers["Idempotency-Key"] = f"{next(NUMBERS)}-{key.strip(chr(34))}"[:255]


@schemathesis.hook
def filter_case(context, case) -> bool:
    """Leaves out data that a schema refuses and the service takes, as the documents say in words.

    A batch takes whatever its elements are: one that is no client gets a result that says so. An empty
    parameter counts as absent.
    """
    refused = [] if case.meta is None else [at.value for at, part in case.meta.components.items() if part.mode.is_negative]
    if "body" in refused and isinstance(case.body, dict):
        batch = case.body.get("clients", case.body.get("prospects"))
        return not isinstance(batch, list) or len(batch) > 500
    return "query" not in refused or case.query.get("updated_since") != ""
