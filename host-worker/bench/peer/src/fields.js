// What a statement binds of a client.

/** The columns that a caller writes, in the order in which they are bound from ?6 on. */
export const FIELDS = [
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
];

/** What is bound from ?3 on: the external id, the time, whether not to mail, then FIELDS. */
export function values(client, now) {
  return [client.external_id, now, client.do_not_mail ? 1 : 0, ...FIELDS.map((field) => client[field])];
}
