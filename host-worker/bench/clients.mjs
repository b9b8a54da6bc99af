// Made-up clients as firms send them: states in full or by code, ZIPs that lost a zero, phones and
// dates in several writings, blanks. The same index always makes the same client.

export const BATCH_SIZE = 500;

const FIRST_NAMES = [
  "Ana",
  "Bob",
  "Carla",
  "Daniel",
  "Elena",
  "Frank",
  "Grace",
  "Hector",
  "Irene",
  "Jamal",
  "Kim",
  "Luis",
  "Maya",
  "Noah",
  "Olga",
  "Peter",
  "Quinn",
  "Rosa",
  "Samuel",
  "Tamika",
  "Umar",
  "Vera",
  "Wendy",
  "Xavier",
  "Yolanda",
  "Zachary",
  "José",
  "Mary Ann",
  "Anne-Marie",
  "D'Angelo",
];
const LAST_NAMES = [
  "Specimenez",
  "Sampleton",
  "Demowitz",
  "Fixturelli",
  "Mockingham",
  "Testarossa",
  "Placeholder",
  "Examplewood",
  "Trialson",
  "Prototypo",
  "Dummond",
  "O’Sample",
  "Van Testing",
  "Mustermann",
  "Draftsmith",
  "Stubbs-Mockley",
  "Exemplar Jr.",
  "Pilotsky",
  "Betancourt-Test",
  "Lorem",
];
const STREETS = [
  "North Main Street",
  "Oak Ave",
  "Elm St.",
  "Martin Luther King Jr Blvd",
  "Sample Lane",
  "W. Pine Street",
  "County Road 7",
  "Lakeview Drive",
  "Cedar Ct",
  "Old Mill Road",
  "Broadway",
  "Saint Charles Avenue",
];
const CASE_TYPES = ["Auto", "Slip and fall", "Workers’ compensation", "Motorcycle", "Dog bite"];
/** City, state in full, state's code, first digits of its ZIPs, area code. */
const PLACES = [
  ["Springfield", "Illinois", "IL", "627", "217"],
  ["Boston", "Massachusetts", "MA", "021", "617"],
  ["Newark", "New Jersey", "NJ", "071", "973"],
  ["Tampa", "Florida", "FL", "336", "813"],
  ["Houston", "Texas", "TX", "770", "713"],
  ["Raleigh", "North Carolina", "NC", "276", "919"],
  ["Providence", "Rhode Island", "RI", "029", "401"],
  ["Los Angeles", "California", "CA", "900", "213"],
  ["New York", "New York", "NY", "100", "212"],
  ["Hartford", "Connecticut", "CT", "061", "860"],
  ["Atlanta", "Georgia", "GA", "303", "404"],
  ["Charleston", "West Virginia", "WV", "253", "304"],
];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * The client of an index in two forms: `sent`, as a firm writes it, and `kept`, as it has to be
 * read back. With `changed`, the same person with a new phone or a new case type.
 */
export function client(index, changed = false) {
  const draw = drawer(index);
  const pick = (list) => list[draw(list.length)];
  const [city, stateName, stateCode, zipStart, areaCode] = pick(PLACES);
  const first = pick(FIRST_NAMES);
  const last = pick(LAST_NAMES);
  // The house number makes every person one of a kind.
  const street = `${index + 1} ${pick(STREETS)}${draw(4) === 0 ? ` Apt ${1 + draw(40)}` : ""}`;
  const zip = `${zipStart}${pad(draw(100))}`;
  const zipEnd = draw(5) === 0 ? pad(draw(10000), 4) : null;
  const opened = { year: 2023 + draw(3), month: 1 + draw(12), day: 1 + draw(28) };
  const externalId = draw(8) === 0 ? null : draw(3) === 0 ? 1_000_000 + index : `M-${pad(index, 7)}`;
  // Drawn for either form, so that nothing else differs between them.
  const changesPhone = draw(2) === 0;
  const [oldLine, newLine] = [100 + draw(50), 150 + draw(50)];
  const oldCaseType = pick(CASE_TYPES);
  const phone = `${areaCode}555${pad(changed && changesPhone ? newLine : oldLine, 4)}`;
  const caseType = changed && !changesPhone ? "Premises liability" : oldCaseType;
  const domain = pick(["example.com", "Example.ORG", "mail.example.net"]);
  const email = draw(3) === 0 ? null : { local: `client.${index}`, domain };
  // One case in 25 is settled already.
  const settled = draw(25) === 0 ? { year: 2026, month: 1 + draw(3), day: 1 + draw(28) } : null;
  const unmailed = draw(30) === 0;
  return {
    // JSON leaves out what is undefined here.
    sent: {
      external_id: externalId ?? undefined,
      first_name: draw(6) === 0 ? ` ${first}  ` : first,
      last_name: last,
      address_line1: street,
      address_line2: pick(["", null, undefined, undefined]),
      city,
      state: pick([stateName, stateName.toUpperCase(), stateName.toLowerCase(), stateCode]),
      zip: writtenZip(zip, zipEnd, draw),
      email: email ? `${email.local}@${email.domain}` : undefined,
      phone: writtenPhone(phone, draw),
      case_type: caseType,
      opened_on: writtenDate(opened, draw),
      settled_on: settled ? writtenDate(settled, draw) : pick(["", undefined, undefined]),
      do_not_mail: unmailed ? pick([true, "yes", "Y"]) : pick([false, "no", undefined, undefined]),
    },
    kept: {
      external_id: externalId === null ? null : String(externalId),
      first_name: first,
      last_name: last,
      address_line1: street,
      address_line2: null,
      city,
      state: stateCode,
      zip: zipEnd === null ? zip : `${zip}-${zipEnd}`,
      email: email && `${email.local}@${email.domain.toLowerCase()}`,
      phone: `+1${phone}`,
      case_type: caseType,
      opened_on: isoDate(opened),
      settled_on: settled && isoDate(settled),
      do_not_mail: unmailed,
    },
  };
}

/** The body of batch `number`: its 500 clients, as `POST /clients` takes them. */
export function batchBody(number, changed = false) {
  const clients = [];
  for (let row = 0; row < BATCH_SIZE; row += 1) {
    clients.push(client(number * BATCH_SIZE + row, changed).sent);
  }
  return Buffer.from(JSON.stringify({ clients }));
}

function writtenZip(zip, end, draw) {
  if (end !== null) return draw(2) === 0 ? `${zip}-${end}` : `${zip}${end}`;
  const writing = draw(3);
  // As a number, a leading zero is lost.
  if (writing === 0) return Number(zip);
  return writing === 1 ? `${Number(zip)}.0` : zip;
}

function writtenPhone(digits, draw) {
  const [area, exchange, line] = [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6)];
  switch (draw(7)) {
    case 0:
      return `(${area}) ${exchange}-${line}`;
    case 1:
      return `${area}.${exchange}.${line}`;
    case 2:
      return `${area}-${exchange}-${line} ext. ${1 + draw(99)}`;
    case 3:
      return `+1 ${area} ${exchange} ${line}`;
    case 4:
      return `1-${area}-${exchange}-${line}`;
    case 5:
      return Number(digits);
    default:
      return digits;
  }
}

function writtenDate({ year, month, day }, draw) {
  switch (draw(3)) {
    case 0:
      return isoDate({ year, month, day });
    case 1:
      return `${month}/${day}/${year}`;
    default:
      return `${MONTHS[month - 1]} ${day}, ${year}`;
  }
}

function isoDate({ year, month, day }) {
  return `${year}-${pad(month)}-${pad(day)}`;
}

function pad(number, length = 2) {
  return String(number).padStart(length, "0");
}

/** Draws whole numbers below a bound, always the same ones for a seed (mulberry32). */
function drawer(seed) {
  let state = (seed + 1) * 0x9e3779b1;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below) | 0;
  };
}
