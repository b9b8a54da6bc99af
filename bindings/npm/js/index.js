// The functions of the package. They pack values into one text for the wasm module (../src/lib.rs).
import * as wasm from "./rules.js";

/** The names of the fields, in the order in which the module counts them. */
export const FIELDS = Object.freeze([
  "external_id",
  "first_name",
  "last_name",
  "address_line1",
  "address_line2",
  "city",
  "state",
  "zip",
  "email",
  "phone",
  "case_type",
  "opened_on",
  "settled_on",
  "do_not_mail",
]);

const PLACES = new Map(FIELDS.map((field, place) => [field, place]));

export function normalizeValue(field, value) {
  return resultOf(wasm.normalize_column(placeOf(field), packed(value)));
}

export function normalizeColumn(field, values) {
  const place = placeOf(field);
  // A string is iterable too, and its characters are no column.
  if (typeof values === "string") throw new TypeError("the values must be an array or another iterable");
  const column = { values: [], problems: [] };
  let items = [];
  const flush = () => {
    if (items.length === 0) return;
    for (const item of wasm.normalize_column(place, items.join("\0")).split("\0")) {
      if (item[0] === "p") column.problems.push({ row: column.values.length, ...problemOf(item) });
      column.values.push(valueOf(item));
    }
    items = [];
  };
  for (const value of values) {
    items.push(packed(value));
    if (items.length === ROWS_AT_ONCE) flush();
  }
  flush();
  return column;
}

// Bounds the memory that a long column takes inside the module, which never gets smaller.
const ROWS_AT_ONCE = 4096;

export function normalizeRecord(record) {
  const normalized = { values: {}, problems: {}, ignored: [] };
  const items = wasm.normalize_record(packedRecord(record)).split("\0");
  FIELDS.forEach((field, place) => {
    const item = items[place];
    if (item[0] === "p") normalized.problems[field] = problemOf(item);
    else if (item !== "-") normalized.values[field] = valueOf(item);
  });
  normalized.ignored = Object.keys(record).filter((name) => !PLACES.has(name));
  return normalized;
}

export function samePerson(one, other) {
  return wasm.is_same_person(packedRecord(one), packedRecord(other));
}

export function matchKey(record) {
  const [name, street, unit, line2Unit, zip5] = texts(wasm.match_key(packedRecord(record)));
  return { name, street, unit, line2Unit, zip5 };
}

export function foldName(name) {
  return wasm.fold_name(textOf(name));
}

export function foldStreet(line1) {
  return wasm.fold_street(textOf(line1));
}

export function streetParts(line1) {
  const [street, unit] = texts(wasm.street_parts(textOf(line1)));
  return { street, unit };
}

export function mailingAddress(record) {
  const [attentionLine, deliveryLine, lastLine] = texts(wasm.mailing_address(packedRecord(record)));
  return { attentionLine, deliveryLine, lastLine };
}

export function fieldsOfColumns(headers) {
  const items = Array.from(headers, (header) => packed(textOf(header)));
  return items.length === 0 ? [] : texts(wasm.fields_of_columns(items.join("\0")));
}

function placeOf(field) {
  const place = PLACES.get(field);
  if (place === undefined) throw new TypeError(`there is no field ${JSON.stringify(String(field))}`);
  return place;
}

function textOf(value) {
  if (typeof value !== "string") throw new TypeError("the argument must be a string");
  return value;
}

/** A value as an item of a packed text. */
function packed(value) {
  switch (typeof value) {
    case "string":
      if (!value.isWellFormed()) return "u";
      // A NUL separates items. Every rule answers alike to all control characters.
      return `s${value.includes("\0") ? value.replaceAll("\0", "\x01") : value}`;
    case "number":
      if (Number.isNaN(value)) return "-";
      // From 2^53 on, a number may not be the one that was written. No rule takes an exponent.
      return `n${Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : value}`;
    case "bigint":
      return `n${value}`;
    case "boolean":
      return value ? "t" : "f";
    case "undefined":
      return "-";
    default:
      if (value === null) return "-";
      return Array.isArray(value) ? "a" : "o";
  }
}

function packedRecord(record) {
  if (record === null || typeof record !== "object") throw new TypeError("the record must be an object");
  return FIELDS.map((field) => packed(record[field])).join("\0");
}

function resultOf(item) {
  return item[0] === "p" ? { problem: problemOf(item) } : { value: valueOf(item) };
}

/** The value of an item; `null` for a blank one and a refused one. */
function valueOf(item) {
  switch (item[0]) {
    case "s":
      return item.slice(1);
    case "t":
      return true;
    case "f":
      return false;
    default:
      return null;
  }
}

function problemOf(item) {
  const space = item.indexOf(" ");
  return { kind: item.slice(1, space), message: item.slice(space + 1) };
}

function texts(answer) {
  return answer.split("\0").map(valueOf);
}
