// What a caller wrote about one client, brought to what is stored.

import { stateCode } from "./states.js";

/** Reads one client; `problems` says what cannot be read, and is empty when all can. */
export function parseClient(raw) {
  const problems = [];
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    return { client: null, problems: ["a client must be an object"] };
  }
  const read = (field, parse, limit) => {
    const value = raw[field];
    if (value === undefined || value === null) return null;
    const text = typeof value === "string" ? value.trim() : value;
    if (text === "") return null;
    const parsed = parse(text, limit);
    if (parsed === undefined) problems.push(`${field} cannot be read`);
    return parsed;
  };
  const client = {
    external_id: read("external_id", externalId),
    first_name: read("first_name", string, 200),
    last_name: read("last_name", string, 200),
    address_line1: read("address_line1", string, 300),
    address_line2: read("address_line2", string, 300),
    city: read("city", string, 200),
    state: read("state", state),
    zip: read("zip", zip),
    email: read("email", email),
    phone: read("phone", phone),
    case_type: read("case_type", string, 200),
    opened_on: read("opened_on", date),
    settled_on: read("settled_on", date),
    do_not_mail: read("do_not_mail", boolean) ?? false,
  };
  if (!client.first_name && !client.last_name) problems.push("a name is required");
  return { client, problems };
}

// Each of these takes a trimmed text, or a value of another type, and answers what is stored, or
// undefined when it cannot be read.

function string(value, limit) {
  return typeof value === "string" && value.length <= limit ? value : undefined;
}

function externalId(value) {
  if (Number.isSafeInteger(value)) return String(value);
  return string(value, 200);
}

function state(value) {
  return typeof value === "string" ? stateCode(value) : undefined;
}

/** Text of digits and formatting, from a string or a whole number; drops a spreadsheet's `.0`. */
function digits(value) {
  if (Number.isSafeInteger(value)) return String(value);
  return typeof value === "string" ? value.replace(/\.0$/, "") : undefined;
}

function zip(value) {
  const match = /^(\d{4,5})(?:[ -]*(\d{4}))?$/.exec(digits(value) ?? "");
  if (!match) return undefined;
  const [, five, four] = match;
  if (five.length === 4 && four) return undefined;
  return four ? `${five}-${four}` : five.padStart(5, "0");
}

function phone(value) {
  const text = digits(value)?.replace(/\s*(?:ext(?:ension)?\.?|x|#)\s*\d{1,9}$/i, "");
  if (text === undefined || /[a-z]/i.test(text)) return undefined;
  const plain = text.replace(/\D/g, "");
  if (plain.length < 10 || plain.length > 15) return undefined;
  return plain.length === 10 && !text.startsWith("+") ? `+1${plain}` : `+${plain}`;
}

function email(value) {
  if (typeof value !== "string" || value.length > 320) return undefined;
  const match = /^([^\s@]+)@([^\s@]+\.[^\s@]+)$/.exec(value);
  return match ? `${match[1]}@${match[2].toLowerCase()}` : undefined;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

function date(value) {
  if (typeof value !== "string") return undefined;
  let match = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:T.*)?$/.exec(value);
  if (match) return calendarDate(match[1], match[2], match[3]);
  match = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(value);
  if (match) return calendarDate(match[3], match[1], match[2]);
  match = /^([a-z]{3})[a-z]*\.? (\d{1,2}),? (\d{4})$/i.exec(value);
  if (match) return calendarDate(match[3], MONTHS.indexOf(match[1].toLowerCase()) + 1, match[2]);
  return undefined;
}

function calendarDate(year, month, day) {
  const text = `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
  // Date rolls 30 February over to March; a date that comes back changed does not exist.
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? text : undefined;
}

const BOOLEANS = {
  true: true,
  yes: true,
  y: true,
  t: true,
  1: true,
  on: true,
  false: false,
  no: false,
  n: false,
  f: false,
  0: false,
  off: false,
};

function boolean(value) {
  if (typeof value === "boolean") return value;
  return typeof value === "string" ? BOOLEANS[value.toLowerCase()] : undefined;
}
