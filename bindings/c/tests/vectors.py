#!/usr/bin/env python3
"""Writes the shared vectors as lines that a C program reads without a JSON library: vectors.py FILE…

A normalizing case is `N`, the id, the field, the input as a JSON token, and what is expected: `stored` and the text,
`blank`, or `refused` and the word. A matching case is `M`, the id, `same` or `other`, and both records as pairs of a
field and a token. Parts are separated by tabs, and bytes that are not plain are `%` and two hexadecimal digits."""

import json
import sys

FIELDS_OF_RULE = {
    "boolean": ["do_not_mail"],
    "date": ["opened_on", "settled_on"],
    "email": ["email"],
    "external_id": ["external_id"],
    "phone": ["phone"],
    "state": ["state"],
    "zip": ["zip"],
}


def plain(text: str) -> str:
    return "".join(
        chr(byte) if 0x20 < byte < 0x7F and byte != 0x25 else f"%{byte:02x}" for byte in text.encode("utf-8")
    )


def token(value: object) -> str:
    # Half of a surrogate pair stays an escape.
    return json.dumps(value)


def line_of(*parts: str) -> None:
    print("\t".join(plain(part) for part in parts))


def normalizing(vector: dict) -> None:
    expect = vector["expect"]
    if "error" in expect:
        expected = ["refused", expect["error"]]
    elif expect.get("missing"):
        expected = ["blank", ""]
    else:
        stored = expect["ok"]
        expected = ["stored", stored if isinstance(stored, str) else json.dumps(stored)]
    sent = vector.get("input_raw", token(vector.get("input")))
    for field in [vector["field"]] if "field" in vector else FIELDS_OF_RULE[vector["rule"]]:
        line_of("N", vector["id"], field, sent, *expected)


def matching(vector: dict) -> None:
    parts = []
    for record in (vector["a"], vector["b"]):
        parts.append(str(len(record)))
        for field, value in record.items():
            parts += [field, token(value)]
    line_of("M", vector["id"], "same" if vector["expect"]["equal"] else "other", *parts)


for name in sys.argv[1:]:
    with open(name, encoding="utf-8") as file:
        # The numbers keep their digits.
        vectors = json.load(file)["vectors"]
    for vector in vectors:
        (matching if vector["rule"] == "match" else normalizing)(vector)
