#!/usr/bin/env python3
"""Writes the values that the libraries are compared with, as JSON: data.py ROWS

They are drawn from a seed, so each run and each language has the same ones. Phone numbers, dates and addresses are
written in the ways that people write them. All are valid."""

import json
import random
import sys

MONTHS = "January February March April May June July August September October November December".split()
STREETS = "Oak Main Canal Maple Washington Park Lake Hill Church Pine Walnut Jackson Elm Lincoln Cedar".split()
SUFFIXES = "Street St Avenue Ave. Road Rd Boulevard Blvd Drive Dr Lane Ln Court Ct Place".split()
DIRECTIONALS = ["", "", "", "North ", "N. ", "S ", "West ", "E "]
UNITS = ["", "", "", " Apt 4", ", Apartment #12", " #3B", " Unit 7", " Suite 200", " Floor 2"]
AREAS = "212 312 415 617 702 713 773 808 907 202 305 404 503 602 816".split()


def phone(random: random.Random) -> str:
    area, exchange, line = random.choice(AREAS), random.randint(220, 989), random.randint(0, 9999)
    form = random.choice(["({0}) {1}-{2:04}", "{0}-{1}-{2:04}", "{0}.{1}.{2:04}", "{0}{1}{2:04}", "+1 {0} {1} {2:04}",
                          "1-{0}-{1}-{2:04}", "{0} {1} {2:04} x9"])
    return form.format(area, exchange, line)


def date(random: random.Random) -> str:
    year, month, day = random.randint(1990, 2026), random.randint(1, 12), random.randint(1, 28)
    name = MONTHS[month - 1]
    return random.choice([f"{year}-{month:02}-{day:02}", f"{month:02}/{day:02}/{year}", f"{month}/{day}/{year}",
                          f"{name} {day}, {year}", f"{name[:3]} {day}, {year}"])


def street(random: random.Random) -> str:
    return (f"{random.randint(1, 9999)} {random.choice(DIRECTIONALS)}{random.choice(STREETS)} "
            f"{random.choice(SUFFIXES)}{random.choice(UNITS)}")


def main() -> None:
    rows = int(sys.argv[1])
    source = random.Random(2026)
    columns = {"phone": phone, "date": date, "street": street}
    json.dump({name: [make(source) for _ in range(rows)] for name, make in columns.items()}, sys.stdout)


main()
