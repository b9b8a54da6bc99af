// The demo of ./dev: an account with a key, five counties and 300 made-up prospects, with names that no
// real person has. It calls the operator API of the service that it fills.

const EMAIL = "owner@example.com";
const DAY_MS = 86_400_000;

const COUNTIES = [
  { fips: "06037", county: "Los Angeles", state: "CA", city: "Los Angeles", zip: "90001" },
  { fips: "17031", county: "Cook", state: "IL", city: "Chicago", zip: "60601" },
  { fips: "48201", county: "Harris", state: "TX", city: "Houston", zip: "77002" },
  { fips: "04013", county: "Maricopa", state: "AZ", city: "Phoenix", zip: "85003" },
  { fips: "25025", county: "Suffolk", state: "MA", city: "Boston", zip: "02108" },
];
const FIRST_NAMES = ["Alpha", "Bravo", "Delta", "Echo", "Foxtrot", "Juliett", "Kilo", "Lima", "Oscar", "Romeo", "Sierra"];
const LAST_NAMES = ["Sampleton", "Demowitz", "Examplari", "Testerson", "Mockingham", "Placeholder", "Specimenez"];
const STREETS = ["Sample St", "Demo Ave", "Example Blvd", "N Placeholder Rd", "Mock Ln", "Invention Way"];
const PERSON_TYPES = ["driver", "driver", "passenger", "pedestrian", "bicyclist"];
const INJURY_SEVERITIES = ["suspected_minor", "possible", "none", "suspected_serious", "unknown"];

const pick = (choices, number) => choices[number % choices.length];
const date = (ms) => new Date(ms).toISOString().slice(0, 10);

/** The made-up person with this number. */
function prospect(_, number) {
  const { fips, county, state, city, zip } = pick(COUNTIES, number);
  const firstName = pick(FIRST_NAMES, number);
  return {
    source_id: `demo-${String(number).padStart(4, "0")}`,
    first_name: firstName,
    last_name: pick(LAST_NAMES, number),
    address_line1: `${100 + number * 7} ${pick(STREETS, number)}`,
    city,
    state,
    zip,
    email: `${firstName}.${number}@example.com`.toLowerCase(),
    // 555-0100 to 555-0199 are reserved for fictional use.
    phone: `(202) 555-01${String(number % 100).padStart(2, "0")}`,
    person_type: pick(PERSON_TYPES, number),
    injury_severity: pick(INJURY_SEVERITIES, number),
    crash_date: date(Date.now() - (1 + (number % 25)) * DAY_MS),
    crash_city: city,
    crash_state: state,
    crash_county: county,
    crash_county_fips: fips,
    crash_report_number: `DEMO-${String(number).padStart(6, "0")}`,
  };
}

/** Fills an empty service. Resolves to the text that introduces it, and the id of the last request. */
export async function prepareDemo(origin, token, state) {
  let lastRequestId;
  const call = async (method, path, body) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch(`${origin}/operator/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
    lastRequestId = response.headers.get("x-request-id");
    if (!response.ok) throw `The demo cannot be prepared: ${await response.text()}`;
    return response.json();
  };
  const { accounts } = await call("GET", "/accounts");
  let account = accounts.find(({ email }) => email === EMAIL);
  if (accounts.length > 0 && !account) {
    return { introduction: `\n\n${state} has other accounts, so the demo adds nothing to it.\n`, lastRequestId };
  }
  const isNew = !account;
  if (isNew) {
    await call("POST", "/prospects", { prospects: Array.from({ length: 300 }, prospect) });
    const flags = { email: EMAIL, api_enabled: true, digital_bundle: true, contact_enrichment: true };
    ({ account } = await call("POST", "/accounts", flags));
    const from = { from_date: date(Date.now() - 365 * DAY_MS) };
    for (const { fips } of COUNTIES) await call("PUT", `/accounts/${account.id}/counties/${fips}`, from);
  }
  const { key } = await call("POST", `/accounts/${account.id}/keys`, { label: "demo" });
  return { introduction: introduce(origin, key.key, isNew), lastRequestId };
}

function introduce(origin, key, isNew) {
  const base = `${origin}/api/v1`;
  const authorization = `-H 'Authorization: Bearer ${key}'`;
  const state = isNew
    ? "One account is ready, with five counties and 300 made-up prospects. Its key:"
    : "The account of the first start is there, with its data. Another key for it:";
  return `

${state}

  ${key}

Post a messy list of clients, and read what became of each:

  curl -s ${base}/clients ${authorization} -H 'Content-Type: application/json' -d '{"clients":[
    {"external_id": 1001, "first_name": " Ana ", "last_name": "Specimenez", "address_line1": "12 North Main Street",
     "city": "Springfield", "state": "illinois", "zip": "62704.0", "phone": "(217) 555-0134 ext. 9", "opened_on": "Jan 5, 2026"},
    {"first_name": "ANA", "last_name": "Specimenez", "address_line1": "12 N. Main St.", "zip": "62704-1234", "email": "Ana@EXAMPLE.com"},
    {"first_name": "Carl", "last_name": "Demowitz", "state": "Narnia", "zip": "123"}
  ]}'

Look around:

  curl -s ${base}/me ${authorization}
  curl -s '${base}/prospects?limit=2' ${authorization}
  curl -s ${base}/clients ${authorization}    # a client is listed a minute after it was saved

Or try each of them in a browser, with the key:

  ${origin}/docs

Stop with Ctrl-C. The next start uses the same data.
`;
}
