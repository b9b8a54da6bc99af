/** The fields of a client, in the order of a record. */
export declare const FIELDS: readonly [
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
];

/** The name of a field. */
export type Field = (typeof FIELDS)[number];

/** What a field is stored as: a boolean for `do_not_mail`, otherwise a text; a date as `YYYY-MM-DD`. */
export type Value<F extends Field = Field> = F extends "do_not_mail" ? boolean : string;

/** The kind of a problem, for programs. Later versions may add kinds. */
export type ProblemKind =
  | "control_character"
  | "date_format"
  | "email_format"
  | "invalid_unicode"
  | "no_such_date"
  | "not_allowed"
  | "phone_digits"
  | "required"
  | "too_long"
  | "two_numbers"
  | "unknown_state"
  | "wrong_type"
  | "yes_no"
  | "zip_format"
  | (string & {});

/** Why a value is refused. */
export interface Problem {
  readonly kind: ProblemKind;
  /**
   * What to fix, as the part of a sentence after the field's name: `must have 5 or 9 digits, but has 6`. It
   * never repeats the value.
   */
  readonly message: string;
}

/** A normalized value, which is `null` for a blank one, or the problem of a refused one. */
export type Result<T> =
  | { readonly value: T | null; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: Problem };

/** A problem and its row, counted from 0. */
export interface RowProblem extends Problem {
  readonly row: number;
}

/** A normalized column. */
export interface Column<T> {
  /** One value for each row: `null` where the value is blank or refused. */
  readonly values: (T | null)[];
  /** The problems of the refused values, in the order of the rows. */
  readonly problems: RowProblem[];
}

/** A record as it is sent: any values, also those that a rule refuses. Other members are ignored. */
export type ClientRecord = { readonly [F in Field]?: unknown };

/** A normalized record. */
export interface NormalizedRecord {
  /** The values of the fields that are neither blank nor refused. */
  readonly values: { -readonly [F in Field]?: Value<F> };
  /** The problems of the refused values. */
  readonly problems: { -readonly [F in Field]?: Problem };
  /** The names of the members that are no fields, in their order. */
  readonly ignored: string[];
}

/** What is compared of a record. For reading only: `samePerson` compares. */
export interface MatchKey {
  /** First and last name, folded, with U+001F between them. */
  readonly name: string | null;
  /** The street in its USPS Publication 28 form, without the units at its end. */
  readonly street: string | null;
  /** The unit at the end of the first line. */
  readonly unit: string | null;
  /** The unit of the second line, where the first has none. */
  readonly line2Unit: string | null;
  /** The first five digits of the ZIP. */
  readonly zip5: string | null;
}

/** A street and its unit, each as it is compared. */
export interface StreetParts {
  readonly street: string;
  readonly unit: string | null;
}

/**
 * Normalizes one value by the rule of its field.
 *
 * Strings, numbers, bigints and booleans are read as in JSON. `null`, `undefined` and `NaN` are missing values.
 * Everything else is refused. So is a whole number from 2⁵³ on, which may have lost digits: use a bigint. So is a
 * `Date`: its day depends on the time zone.
 *
 * @throws {TypeError} if there is no such field.
 *
 * @example
 * normalizeValue("zip", 2134);             // { value: "02134" }
 * normalizeValue("city", "  ");            // { value: null }
 * normalizeValue("state", "Narnia").problem?.kind; // "unknown_state"
 */
export declare function normalizeValue<F extends Field>(field: F, value: unknown): Result<Value<F>>;

/**
 * Normalizes the values of one field. It is several times as fast as one call for each value.
 *
 * @throws {TypeError} if there is no such field.
 *
 * @example
 * normalizeColumn("phone", ["(617) 555-0142 x9", "12"]);
 * // { values: ["+16175550142", null], problems: [{ row: 1, kind: "phone_digits", message: "must …" }] }
 */
export declare function normalizeColumn<F extends Field>(field: F, values: Iterable<unknown>): Column<Value<F>>;

/**
 * Normalizes all fields of a record.
 *
 * @throws {TypeError} if the record is not an object.
 *
 * @example
 * const { values, problems } = normalizeRecord({ first_name: " Ana ", zip: 2134, state: "Narnia" });
 * // values: { first_name: "Ana", zip: "02134" }, problems: { state: { kind: "unknown_state", message: "must …" } }
 */
export declare function normalizeRecord(record: ClientRecord & { readonly [name: string]: unknown }): NormalizedRecord;

/**
 * Whether two records have the same name, street and ZIP, and have all three. The values are normalized first. A
 * refused value counts as missing.
 *
 * @throws {TypeError} if a record is not an object.
 */
export declare function samePerson(
  one: ClientRecord & { readonly [name: string]: unknown },
  other: ClientRecord & { readonly [name: string]: unknown },
): boolean;

/**
 * What is compared of a record. The values are normalized first. A refused value counts as missing.
 *
 * @throws {TypeError} if the record is not an object.
 */
export declare function matchKey(record: ClientRecord & { readonly [name: string]: unknown }): MatchKey;

/**
 * A name as it is compared: without case, accents, apostrophes and dots.
 *
 * @throws {TypeError} if the name is not a string.
 *
 * @example
 * foldName("O’Brien-Müller, Jr."); // "obrien muller jr"
 */
export declare function foldName(name: string): string;

/**
 * The first line of an address as it is compared: in lower case, in its USPS Publication 28 form.
 *
 * @throws {TypeError} if the line is not a string.
 *
 * @example
 * foldStreet("77 North Main Street, Apartment #4"); // "77 n main st apt 4"
 */
export declare function foldStreet(line1: string): string;

/**
 * The street and the unit of the first line of an address, each as it is compared.
 *
 * @throws {TypeError} if the line is not a string.
 *
 * @example
 * streetParts("600 Canal Street, Apartment #4"); // { street: "600 canal st", unit: "4" }
 */
export declare function streetParts(line1: string): StreetParts;

/** The lines of an address on an envelope. */
export interface MailingAddress {
  /** What the second line says besides a unit, such as `C O RUIZ`. It stands above the street. */
  readonly attentionLine: string | null;
  /** House number, street and unit. */
  readonly deliveryLine: string | null;
  /** City, state and ZIP, as far as they are known. */
  readonly lastLine: string | null;
}

/**
 * The address of a record as USPS Publication 28 prefers it on an envelope: in capitals, without punctuation, with
 * the standard abbreviations. Store the address as written: accents and apostrophes do not come back.
 *
 * @throws {TypeError} if the record is not an object.
 *
 * @example
 * mailingAddress({ address_line1: "600 North Canal Street", address_line2: "Apartment #4", city: "St. Louis", state: "Missouri", zip: 63101 });
 * // { attentionLine: null, deliveryLine: "600 N CANAL ST APT 4", lastLine: "ST LOUIS MO 63101" }
 */
export declare function mailingAddress(record: ClientRecord & { readonly [name: string]: unknown }): MailingAddress;

/**
 * Which field each column of an export holds, by its header. Each field is given once, to the column that fits best.
 *
 * @throws {TypeError} if a header is not a string.
 *
 * @example
 * fieldsOfColumns(["Given Name", "Home Zip", "Mailing Zip/Postal Code", "Notes"]);
 * // ["first_name", null, "zip", null]
 */
export declare function fieldsOfColumns(headers: Iterable<string>): (Field | null)[];
