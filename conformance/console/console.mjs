// The console at /app, as an owner, a teammate and a view-only login meet it: node console.mjs [--pictures] [HOST]…
import assert from "node:assert/strict";
import { copyFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { inspect, person, tabTo, weights, withBrowser } from "./browser.mjs";
import { operate, project, withHost } from "./hosts.mjs";
import { joinsColumns, outlastsTrouble, seesAnotherChange } from "./imports-trouble.mjs";
import { importsManyRows, importsSpreadsheet, seesPastImports } from "./imports.mjs";
import { linkWorksOnce, signIn, signsInWithPasskey } from "./sign-in.mjs";

const given = process.argv.slice(2);

/** Where pictures are left, if they are asked for. */
const pictures = given.includes("--pictures") ? join(project, "target/console") : undefined;

/** An account with its owner, and the address of the owner's sign-in link. */
async function firm(url, email) {
  const options = { email, api_enabled: true, digital_bundle: true, contact_enrichment: true };
  const { account } = await operate(url, "POST", "accounts", options);
  const { logins } = await operate(url, "GET", `accounts/${account.id}/logins`);
  return { id: account.id, email, owner: logins[0].id, link: await link(url, logins[0].id) };
}

async function link(url, login) {
  return (await operate(url, "POST", `logins/${login}/link`)).link.url;
}

/** What a program does with a key. */
async function api(url, key, method, path, body) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const answer = await fetch(`${url}/api/v1/${path}`, { method, headers, body: body && JSON.stringify(body) });
  return { status: answer.status, body: await answer.json() };
}

/** The owner makes a key, and a program uses it. */
async function makesKey({ page }, url) {
  await page.getByRole("link", { name: "Keys", exact: true }).click();
  await page.getByLabel("What is it for?").fill("Zapier");
  await page.getByRole("button", { name: "Make the key" }).click();
  const key = await page.locator("#new-key").innerText();
  assert.equal((await api(url, key, "GET", "me")).status, 200);
  await page.reload();
  assert.equal(await page.locator("#new-key").count(), 0, "a key is shown once");
  return key;
}

const clients = [
  { external_id: "A-1001", first_name: "Ana", last_name: "Specimenez", address_line1: "12 N Main St", city: "Springfield",
    state: "IL", zip: "62704", phone: "217 555 0134", email: "ana@example.com", case_type: "Auto", settled_on: "2026-10-05" },
  { external_id: "A-1002", first_name: "Bob", last_name: "Sampleton", address_line1: "5 Demo Ave", city: "Boston",
    state: "MA", zip: "02134", do_not_mail: true, case_type: "Premises" },
];

const prospects = [1, 2, 3].map((number) => ({
  source_id: `console-${number}`, first_name: "Echo", last_name: "Placeholder", address_line1: `${number} Mock Ln`,
  city: "Chicago", state: "IL", zip: "60601", phone: `202 555 010${number}`, email: `echo.${number}@example.com`,
  person_type: "driver", injury_severity: "suspected_minor", crash_date: "2026-11-0" + number, crash_county_fips: "17031",
  vehicle_year: 2015, vehicle_make: "Mockwagen", vehicle_model: "Van",
}));

/** Each section, its heading, and its pictures. */
const sections = [
  ["/app", "overview", "Overview"],
  ["/app/clients", "clients", "Clients"],
  ["/app/imports", "imports", "Import"],
  ["/app/review", "review", "Review"],
  ["/app/review/similar", "similar", "Possible duplicates"],
  ["/app/prospects", "prospects", "Prospects"],
  ["/app/activity", "activity", "Activity"],
  ["/app/settings/keys", "keys", "Keys"],
  ["/app/settings/people", "people", "People"],
  ["/app/settings/account", "account", "Account"],
  ["/app/settings/passkeys", "passkeys", "Signing in"],
  ["/app/help", "help", "Help"],
];

async function looksAtAll(who, suffix) {
  for (const [path, name, heading] of sections) {
    assert.equal(await who.open(path), 200, path);
    await who.page.getByRole("heading", { name: heading, level: 1 }).waitFor();
    await inspect(who, `${name}${suffix}`, pictures);
  }
}

/** The owner finds a client whose letters a program turned off, and turns them on. */
async function turnsLettersOn({ page }, url, key) {
  await page.getByRole("link", { name: "Clients", exact: true }).click();
  await page.getByLabel("Letters off").check();
  await page.getByRole("button", { name: "Search" }).click();
  assert.deepEqual(await page.locator("tbody th").allInnerTexts(), ["Bob Sampleton"]);
  await page.getByRole("link", { name: "Bob Sampleton" }).click();
  await page.getByLabel("Why may letters be sent again?").fill("Asked for it by phone on 11/20/2026");
  await page.getByRole("button", { name: "Turn letters on" }).click();
  await page.getByText("Letters are on").waitFor();
  await page.getByText("Asked for it by phone").first().waitFor();
  const { body } = await api(url, key, "GET", "clients?external_id=A-1002");
  assert.equal(body.clients[0].do_not_mail, false);
  return new URL(page.url()).pathname;
}

/** A program sends something wrong. The owner sees it at the client, looks at what an undo does, and takes it back. */
async function undoesChange(owner, url, key) {
  const { page } = owner;
  const wrong = [
    { external_id: "A-1001", city: "Chicago", phone: "217 555 0199" },
    { external_id: "A-1003", first_name: "Cid", last_name: "Mockman", address_line1: "9 Test Ct", zip: "62704" },
  ];
  assert.equal((await api(url, key, "POST", "clients", { clients: wrong })).status, 200);
  await page.getByRole("link", { name: "Clients", exact: true }).click();
  await page.getByRole("link", { name: "Ana Specimenez" }).click();
  await page.getByRole("heading", { name: "Ana Specimenez", level: 1 }).waitFor();
  await inspect(owner, "client-changed", pictures);
  await page.getByRole("link", { name: "Undo…" }).first().click();
  await page.getByRole("heading", { name: "Undo a change", level: 1 }).waitFor();
  await page.getByText("Chicago → Springfield").waitFor();
  await page.getByText("Is removed.").waitFor();
  await inspect(owner, "undo", pictures);
  const button = page.getByRole("button", { name: "Undo this change" });
  await tabTo(page, button);
  await page.keyboard.press("Enter");
  await page.getByText("It was taken back.").waitFor();
  await page.getByText("There is nothing to take back any more.").waitFor();
  await inspect(owner, "undo-done", pictures);
  const { body } = await api(url, key, "GET", "clients");
  assert.deepEqual(body.clients.map(({ external_id, city }) => [external_id, city]).sort(), [["A-1001", "Springfield"], ["A-1002", "Boston"]]);
}

async function searches({ page }) {
  for (const [text, expected] of [
    ["specim", ["Ana Specimenez"]],
    ["1002", ["Bob Sampleton"]],
    ["555-0134", ["Ana Specimenez"]],
    ["ANA@example", ["Ana Specimenez"]],
    ["02134", ["Bob Sampleton"]],
    ["nobody", []],
  ]) {
    await page.goto(new URL("/app/clients", page.url()).href);
    await page.getByLabel("Search", { exact: true }).fill(text);
    await page.keyboard.press("Enter");
    await page.waitForURL(/q=/);
    assert.deepEqual(await page.locator("tbody th").allInnerTexts(), expected, text);
  }
  await page.goto(new URL("/app/clients", page.url()).href);
  const file = (await downloaded(page, /^Download.*CSV/, "clients.csv")).toString();
  assert.match(file, /Specimenez/);
  assert.match(file, /Sampleton/);
  const workbook = await downloaded(page, /XLSX/, "clients.xlsx");
  assert.equal(workbook.subarray(0, 2).toString(), "PK");
}

/** The bytes that a button downloads under this name. */
async function downloaded(page, button, name) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: button }).click()]);
  assert.equal(download.suggestedFilename(), name);
  return readFile(await download.path());
}

/** The owner decides that somebody who was sent under another number is a client. */
async function decides(who, url, key) {
  const { page } = who;
  const again = { ...clients[0], external_id: "B-7" };
  const post = async () => (await api(url, key, "POST", "clients", { clients: [again] })).body.results[0].status;
  assert.equal(await post(), "conflict");
  await who.open("/app");
  await page.getByRole("link", { name: "People that wait for review" }).click();
  await page.getByRole("heading", { name: "Ana Specimenez", level: 2 }).waitFor();
  await inspect(who, "review-one", pictures);
  const same = page.getByRole("button", { name: /^The same person as Ana Specimenez, number A-1001/ });
  await tabTo(page, same);
  await page.keyboard.press("Enter");
  await page.getByText("It is the same person now").waitFor();
  await page.getByText("Nothing waits for review").waitFor();
  assert.equal(await post(), "updated");
}

/** The owner decides that two clients are one person, who gets no letters since one of them gets none. */
async function decidesPossibleDuplicate(who, url, key, { id }) {
  const { page } = who;
  const person = { last_name: "Placeholder", address_line1: "7 Mock Ln", zip: "60601" };
  const pair = [
    { ...person, external_id: "D-1", first_name: "Robert", do_not_mail: true },
    { ...person, external_id: "D-2", first_name: "Bob" },
  ];
  await api(url, key, "POST", "clients", { clients: pair });
  await operate(url, "POST", `accounts/${id}/similar/find`);
  await who.open("/app");
  await page.getByRole("link", { name: "Possible duplicates to decide" }).click();
  await page.getByRole("link", { name: "only one of the two gets letters" }).click();
  await page.getByRole("heading", { name: "Robert Placeholder, number D-1 and Bob Placeholder, number D-2" }).waitFor();
  await inspect(who, "similar-one", pictures);
  const one = page.getByRole("button", { name: "One person" });
  await tabTo(page, one);
  await page.keyboard.press("Enter");
  await page.getByText("They are one person now").waitFor();
  await page.getByText("No possible duplicates").waitFor();
  await page.getByRole("link", { name: "decided", exact: true }).click();
  await page.getByText("They are one person.").waitFor();
}

async function downloadsProspects({ page }) {
  await page.getByRole("link", { name: "Prospects", exact: true }).click();
  await page.getByText("Cold leads").first().waitFor();
  assert.equal(await page.locator("tbody tr").count(), 3);
  const file = (await downloaded(page, /^Download.*CSV/, "cold-leads.csv")).toString();
  assert.equal(file.match(/Cold lead/g).length, 3);
  await downloaded(page, /XLSX/, "cold-leads.xlsx");
  await page.getByRole("link", { name: "Activity" }).click();
  await page.getByText("Downloaded prospects").first().waitFor();
}

/** The owner adds people and passes links on. */
async function addsPerson({ page }, email, role) {
  await page.getByRole("link", { name: "People" }).click();
  await page.getByLabel("E-mail").fill(email);
  await page.locator("form.filters").getByLabel("May do").selectOption(role);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  const row = page.getByRole("row").filter({ hasText: email });
  await row.getByRole("button", { name: "Make a sign-in link" }).click();
  const address = await page.locator("#new-link").innerText();
  await page.getByRole("link", { name: "Back to people" }).click();
  return address;
}

/** Somebody who is no owner finds no keys, people and account, by link or by address. */
async function findsNoSettings(who) {
  for (const part of ["keys", "people", "account"]) {
    assert.equal(await who.page.locator(`a[href="/app/settings/${part}"]`).count(), 0);
    assert.equal(await who.open(`/app/settings/${part}`), 404, part);
  }
  await inspect(who, "not-found", pictures);
}

/** Sends a form as a page of the console would. */
function send({ page }, path, fields = {}) {
  return page.evaluate(async ([path, fields]) => {
    const answer = await fetch(path, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });
    return answer.status;
  }, [path, fields]);
}

async function revokesKey({ page }, url, key) {
  await page.getByRole("link", { name: "Keys", exact: true }).click();
  const summary = page.getByText("End this key…").first();
  await tabTo(page, summary);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "End the key" }).first().click();
  await page.getByText("ended").first().waitFor();
  assert.equal((await api(url, key, "GET", "me")).status, 401);
}

/** A form that another site makes the browser send is refused. */
async function foreignFormIsRefused({ context }, url) {
  const [{ name, value }] = await context.cookies();
  for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }, {}]) {
    const answer = await fetch(`${url}/app/settings/keys`, {
      method: "POST",
      headers: { ...headers, cookie: `${name}=${value}`, "content-type": "application/x-www-form-urlencoded" },
      body: "label=x",
    });
    assert.equal(answer.status, 403);
  }
}

async function withoutScripts(browser, url, address, clientPath) {
  const plain = await person(browser, url, { javaScriptEnabled: false });
  await signIn(plain, address);
  for (const [path, , heading] of sections.slice(0, 5)) {
    assert.equal(await plain.open(path), 200);
    await plain.page.getByRole("heading", { name: heading, level: 1 }).waitFor();
  }
  assert.equal(await plain.open(clientPath), 200);
  await plain.page.getByRole("button", { name: "Sign out", exact: true }).click();
  await plain.page.getByRole("heading", { name: "Sign in" }).waitFor();
  assert.equal((await plain.context.cookies()).length, 0);
  await plain.context.close();
}

/** Secretaries of three more firms import spreadsheets; the third firm pushes the second one's file. */
async function imports(browser, url) {
  const [small, many, pushed] = [await firm(url, "a@third.example"), await firm(url, "b@third.example"), await firm(url, "c@third.example")];
  const key = async ({ id }) => (await operate(url, "POST", `accounts/${id}/keys`, {})).key.key;
  const secretary = await person(browser, url);
  await signIn(secretary, small.link);
  await importsSpreadsheet(secretary, pictures);
  await seesAnotherChange(secretary, await key(small), pictures);
  await joinsColumns(secretary, await key(small));
  await outlastsTrouble(secretary, await key(small), () => link(url, small.owner));
  assert.deepEqual(secretary.faults, []);
  await secretary.context.close();
  await importsManyRows(browser, url, many.link, await key(many), await key(pushed));
}

async function hold(hostName, browser, host) {
  const { url } = host;
  const [one, two] = [await firm(url, "office@first.example"), await firm(url, "office@second.example")];
  await operate(url, "PUT", `accounts/${one.id}/counties/17031`, { from_date: "2026-01-01" });
  await operate(url, "POST", "prospects", { prospects });

  const owner = await linkWorksOnce(browser, url, one.link, pictures);
  await looksAtAll(owner, "-empty");
  await owner.open("/app");
  const key = await makesKey(owner, url);
  assert.equal((await api(url, key, "POST", "clients", { clients })).status, 200);
  await owner.open("/app");
  const clientPath = await turnsLettersOn(owner, url, key);
  await inspect(owner, "client", pictures);
  await undoesChange(owner, url, key);
  await searches(owner);
  await downloadsProspects(owner);
  await decides(owner, url, key);
  await decidesPossibleDuplicate(owner, url, key, one);
  const [teammateLink, viewerLink] = [
    await addsPerson(owner, "tea@first.example", "teammate"),
    await addsPerson(owner, "view@first.example", "view_only"),
  ];
  await looksAtAll(owner, "");

  const teammate = await person(browser, url);
  await signIn(teammate, teammateLink);
  await findsNoSettings(teammate);
  const viewer = await person(browser, url);
  await signIn(viewer, viewerLink);
  await findsNoSettings(viewer);
  await seesPastImports(viewer);
  assert.equal(await viewer.open(clientPath), 200);
  assert.equal(await viewer.page.getByRole("button", { name: "Turn letters on" }).count(), 0);
  assert.equal(await send(viewer, `${clientPath}/letters-on`, { reason: "x" }), 403);
  assert.equal(await send(teammate, "/app/settings/keys", { label: "x" }), 404);

  // Two firms never see each other's.
  const stranger = await person(browser, url);
  await signIn(stranger, two.link);
  assert.equal(await stranger.open(clientPath), 404);
  assert.equal(await stranger.open("/app/clients"), 200);
  assert.doesNotMatch(await stranger.page.content(), /Specimenez|Sampleton/);
  assert.equal(await send(stranger, `${clientPath}/letters-on`, { reason: "x" }), 404);
  assert.equal(await stranger.open("/app/activity"), 200);
  assert.doesNotMatch(await stranger.page.content(), /first\.example/);

  await imports(browser, url);

  await foreignFormIsRefused(owner, url);
  await withoutScripts(browser, url, await link(url, one.owner), clientPath);
  await signsInWithPasskey(browser, url, new URL(await link(url, one.owner)).pathname, pictures);
  await owner.open("/app");
  await revokesKey(owner, url, key);

  // Suspending the account ends every session with the next request.
  await operate(url, "PATCH", `accounts/${one.id}`, { suspended: true });
  await owner.open("/app/clients");
  assert.doesNotMatch(await owner.page.content(), /Specimenez/);

  const faults = [owner, teammate, viewer, stranger].flatMap((who) => who.faults);
  assert.deepEqual(faults, []);
  const said = host.log.join("\n");
  for (const secret of [key, ...[one, two].map(({ link }) => link.split("/").at(-1)), "Specimenez", "Placeholder"]) {
    assert.ok(!said.includes(secret), "the log holds a key, a link or a client");
  }
  console.log(`the console works in a browser on the ${hostName} host`);
}

const hosts = given.filter((word) => !word.startsWith("--"));
if (hosts.length === 0) hosts.push(...(pictures ? ["native"] : ["native", "worker"]));
if (pictures) await mkdir(pictures, { recursive: true });
// A host and its browser use about one processor.
const held = await Promise.allSettled(hosts.map((name) => withHost(name, (host) => withBrowser((browser) => hold(name, browser, host)))));
for (const { reason } of held) if (reason) throw reason;
for (const [name, bytes] of weights) console.log(`${String(bytes).padStart(6)} bytes ${name}`);
if (pictures) {
  const shown = join(project, "docs/console");
  await mkdir(shown, { recursive: true });
  // Those that the documentation shows.
  const text = await readFile(join(project, "docs/console.md"), "utf8");
  for (const [, name] of text.matchAll(/\(console\/([a-z-]+)\.png\)/g)) {
    await copyFile(join(pictures, `${name}-laptop-light.png`), join(shown, `${name}.png`));
  }
}
