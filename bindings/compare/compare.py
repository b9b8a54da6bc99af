#!/usr/bin/env python3
"""Measures the Python package beside others, in turns: compare.py DATA. Writes one JSON object."""

import json
import platform
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import dateutil.parser
import phonenumbers
import pyarrow as pa
import usaddress

import matterbook_rules as rules

ROUNDS = 7
Run = Callable[[list[str]], list[Any]]


def one_by_one(field: Any) -> Run:
    return lambda values: [rules.normalize_value(field, text) for text in values]


def column(field: Any) -> Run:
    return lambda values: rules.normalize_column(field, values).values


def phonenumber(text: str) -> str:
    return phonenumbers.format_number(phonenumbers.parse(text, "US"), phonenumbers.PhoneNumberFormat.E164)


CONTESTS: list[tuple[str, list[tuple[str, Run]]]] = [
    (
        "phone",
        [
            ("matterbook-rules, a list", column("phone")),
            ("matterbook-rules, value by value", one_by_one("phone")),
            ("phonenumbers", lambda values: [phonenumber(text) for text in values]),
        ],
    ),
    (
        "date",
        [
            ("matterbook-rules, a list", column("opened_on")),
            ("matterbook-rules, value by value", one_by_one("opened_on")),
            ("python-dateutil", lambda values: [dateutil.parser.parse(text).date().isoformat() for text in values]),
        ],
    ),
    (
        "street",
        [
            ("matterbook-rules, street_parts", lambda values: [rules.street_parts(text) for text in values]),
            ("usaddress", lambda values: [usaddress.parse(text) for text in values]),
        ],
    ),
]


def arrow(field: Any, values: list[str]) -> tuple[str, Run]:
    texts = pa.array(values)
    return "matterbook-rules, Arrow", lambda _: rules.normalize_arrow(field, texts).values


def measured(run: Run, values: list[str]) -> float:
    begin = time.process_time()
    run(values)
    return time.process_time() - begin


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        data = json.load(file)
    results = []
    for name, runs in CONTESTS:
        values = data[name]
        if name != "street":
            runs = [arrow({"phone": "phone", "date": "opened_on"}[name], values), *runs]
        found = [run(values) for _, run in runs]
        if name != "street":
            found[0] = pa.chunked_array(found[0]).to_pylist()
        seconds: list[list[float]] = [[] for _ in runs]
        for _ in range(ROUNDS):
            for (_, run), times in zip(runs, seconds):
                times.append(measured(run, values))
        for (label, _), times, results_found in zip(runs, seconds, found):
            same = sum(one == other for one, other in zip(results_found, found[0])) / len(values)
            results.append({
                "column": name,
                "name": label,
                "rowsPerSecond": len(values) / statistics.median(times),
                "same": None if name == "street" else same,
            })
    print(json.dumps({"runtime": f"Python {platform.python_version()}", "results": results}))


main()
