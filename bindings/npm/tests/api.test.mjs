import assert from "node:assert/strict";
import { test } from "node:test";

import * as rules from "@matterbook/rules";

test("a value is normalized, blank or refused", () => {
  assert.deepEqual(rules.normalizeValue("zip", 2134), { value: "02134" });
  assert.deepEqual(rules.normalizeValue("do_not_mail", "no"), { value: false });
  assert.deepEqual(rules.normalizeValue("city", " \t "), { value: null });
  assert.deepEqual(rules.normalizeValue("zip", "627041"), {
    problem: { kind: "zip_format", message: "must have 5 or 9 digits, but has 6" },
  });
});

test("a bigint keeps every digit of an id", () => {
  assert.deepEqual(rules.normalizeValue("external_id", 9007199254740993n), { value: "9007199254740993" });
});

test("a number that may have lost digits is refused", () => {
  for (const value of [2 ** 53, -(2 ** 64), 1.5, Infinity, -Infinity]) {
    assert.equal(rules.normalizeValue("external_id", value).problem?.kind, "wrong_type");
  }
  assert.deepEqual(rules.normalizeValue("external_id", 2 ** 53 - 1), { value: "9007199254740991" });
});

test("missing values are blank", () => {
  for (const value of [undefined, null, NaN]) {
    assert.deepEqual(rules.normalizeValue("external_id", value), { value: null });
  }
});

test("a value that is no text, number or boolean is refused", () => {
  for (const value of [[], ["60614"], {}, new Date(), () => 1, Symbol("a"), new String("60614")]) {
    assert.equal(rules.normalizeValue("zip", value).problem?.kind, "wrong_type");
  }
});

test("half of a surrogate pair and a NUL are refused, and disturb no other value", () => {
  const column = rules.normalizeColumn("city", ["Reno", "Re\ud83dno", "Re\0no", "\0", "Reno 😀"]);
  assert.deepEqual(column.values, ["Reno", null, null, null, "Reno 😀"]);
  assert.deepEqual(
    column.problems.map(({ row, kind }) => [row, kind]),
    [[1, "invalid_unicode"], [2, "control_character"], [3, "control_character"]],
  );
});

test("a column of any length has a value for each row, and rows count from 0", () => {
  assert.deepEqual(rules.normalizeColumn("zip", []), { values: [], problems: [] });
  const rows = 10_001;
  const column = rules.normalizeColumn("zip", Array.from({ length: rows }, (_, row) => (row === 9_000 ? "x" : row)));
  assert.equal(column.values.length, rows);
  assert.equal(column.values[10_000], "10000");
  assert.deepEqual(column.problems.at(-1), {
    row: 9_000,
    kind: "zip_format",
    message: "must have 5 or 9 digits, with at most spaces and one dash between them",
  });
});

test("a column can be any iterable but a string", () => {
  assert.deepEqual(rules.normalizeColumn("zip", new Set(["60614"])).values, ["60614"]);
  assert.throws(() => rules.normalizeColumn("zip", "60614"), TypeError);
});

test("a record has values, problems by field, and the names that are ignored", () => {
  const record = { first_name: " Ana ", zip: 2134, state: "Narnia", city: "", do_not_mail: false, Zip: "60614" };
  const normalized = rules.normalizeRecord(record);
  assert.deepEqual(normalized.values, { first_name: "Ana", zip: "02134", do_not_mail: false });
  assert.deepEqual(Object.keys(normalized.problems), ["state"]);
  assert.equal(normalized.problems.state.kind, "unknown_state");
  assert.deepEqual(normalized.ignored, ["Zip"]);
});

test("two records are one person's if name, street and ZIP are equal", () => {
  const one = { first_name: "José", last_name: "O'Neil", address_line1: "12 North Oak Street", zip: "02134-1001" };
  const other = { first_name: "JOSE", last_name: "ONeil", address_line1: "12 N. Oak St", zip: 2134 };
  assert.equal(rules.samePerson(one, other), true);
  assert.equal(rules.samePerson(one, { ...other, zip: 2135 }), false);
  assert.equal(rules.samePerson({}, {}), false);
  // A refused value is not compared.
  assert.equal(rules.samePerson({ ...one, zip: "x" }, { ...one, zip: "x" }), false);
});

test("what is compared can be read", () => {
  assert.deepEqual(rules.matchKey({ first_name: "Ana", last_name: "Li", address_line1: "600 Canal Street Apt 4" }), {
    name: "ana\x1fli",
    street: "600 canal st",
    unit: "4",
    line2Unit: null,
    zip5: null,
  });
  assert.equal(rules.foldName("O’Brien-Müller,  Jr."), "obrien muller jr");
  assert.equal(rules.foldStreet("77 North Main Street, Apartment #4"), "77 n main st apt 4");
  assert.deepEqual(rules.streetParts("600 Canal Street, Apartment #4"), { street: "600 canal st", unit: "4" });
  assert.deepEqual(rules.streetParts("PO Box 4"), { street: rules.foldStreet("PO Box 4"), unit: null });
});

test("an address has the lines of an envelope", () => {
  const record = { address_line1: "600 North Canal Street", address_line2: "Apartment #4", city: "St. Louis", state: "Missouri", zip: 63101 };
  assert.deepEqual(rules.mailingAddress(record), {
    attentionLine: null,
    deliveryLine: "600 N CANAL ST APT 4",
    lastLine: "ST LOUIS MO 63101",
  });
  assert.deepEqual(rules.mailingAddress({}), { attentionLine: null, deliveryLine: null, lastLine: null });
});

test("columns of exports are recognized, each field once", () => {
  const headers = ["Client ID", "Given Name", "Home Zip", "Mailing Zip/Postal Code", "Notes", ""];
  assert.deepEqual(rules.fieldsOfColumns(headers), ["external_id", "first_name", null, "zip", null, null]);
  assert.deepEqual(rules.fieldsOfColumns([]), []);
  assert.throws(() => rules.fieldsOfColumns([7]), TypeError);
});

test("a wrong use throws", () => {
  assert.throws(() => rules.normalizeValue("ZIP", "60614"), { name: "TypeError", message: 'there is no field "ZIP"' });
  assert.throws(() => rules.normalizeColumn("toString", []), TypeError);
  assert.throws(() => rules.normalizeRecord(null), TypeError);
  assert.throws(() => rules.samePerson({}, undefined), TypeError);
  assert.throws(() => rules.foldName(null), TypeError);
});
