// Importing a spreadsheet while others change clients, the service fails, and the session ends.
import assert from "node:assert/strict";
import { inspect } from "./browser.mjs";
import { choose, counts, heading, idle } from "./imports.mjs";

/** A list with these rows. */
const list = (rows) => ["Case No,First Name,Last Name,Street,City,Zip,Phone #", ...rows].join("\n");

const api = async (url, key, method, path, body) => {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const answer = await fetch(`${url}/api/v1/${path}`, { method, headers, body: body && JSON.stringify(body) });
  assert.equal(answer.status, 200);
  return answer.json();
};

const omar = { external_id: "C-1", first_name: "Omar", last_name: "Exampleton", address_line1: "9 Test St", zip: "02134", phone: "2175550134" };

/** The file is dropped on the page. */
async function drop({ page }, name, text) {
  const dataTransfer = await page.evaluateHandle(([name, text]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], name, { type: "text/csv" }));
    return transfer;
  }, [name, text]);
  await page.dispatchEvent("#drop", "dragover", { dataTransfer });
  await page.locator("#drop.over").waitFor();
  await page.dispatchEvent("#drop", "drop", { dataTransfer });
  await page.locator("#drop:not(.over)").waitFor();
}

/** What another program changes between comparing and sending is shown, and not overwritten unless the person says so. */
export async function seesAnotherChange(secretary, key, pictures) {
  const { page, open, url } = secretary;
  await api(url, key, "POST", "clients", { clients: [omar] });
  const text = list(["C-1,Omar,Exampleton,9 Test St,Reno,02134,(217) 555-0134", "C-2,Carla,Demowitz,5 Demo Ave,Reno,02134,"]);
  await open("/app/imports");
  await drop(secretary, "two.csv", text);
  await heading(secretary, "2. What is in the file").waitFor();
  await idle(page);
  assert.equal(await page.locator("#file-name").innerText(), "two.csv");
  await page.getByRole("button", { name: /^Compare 2 rows/ }).click();
  await heading(secretary, "3. What would change").waitFor();
  await idle(page);
  const previewed = { "New clients": 1, Changed: 1, "As they were": 0, Refused: 0 };
  assert.deepEqual(await counts(page, "preview-counts"), previewed);

  const phone = async () => (await api(url, key, "GET", "clients?external_id=C-1")).clients[0].phone;
  await api(url, key, "POST", "clients", { clients: [{ external_id: "C-1", phone: "2175550199" }] });
  await page.getByRole("button", { name: "Send 2 rows" }).click();
  await heading(secretary, "Something has changed").waitFor();
  assert.deepEqual(await page.locator("#changed-rows tr").allInnerTexts(), ["2\tChanged\tChanged: City, Phone"]);
  await inspect(secretary, "import-changed", pictures);
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await heading(secretary, "Stopped").waitFor();
  await idle(page);
  assert.equal(await phone(), "+12175550199");
  assert.equal((await api(url, key, "GET", "clients?external_id=C-2")).clients.length, 0);

  // The person comes back to it, looks at it again, and sends it.
  await choose(secretary, "two.csv", text);
  await heading(secretary, "This file was begun").waitFor();
  await page.locator("#begun-go").click();
  await page.getByRole("button", { name: "Send these rows anyway" }).click();
  await heading(secretary, "Done").waitFor();
  await idle(page);
  assert.deepEqual(await counts(page, "done-counts"), previewed);
  assert.equal(await phone(), "+12175550134");
}

/** A house number and a street in two columns are joined, and the firm's next file is read in the same way. */
export async function joinsColumns(secretary, key) {
  const { page, open, url } = secretary;
  const text = (number) => `Case No,First Name,Last Name,House No,Street,Zip\nJ-${number},Rosa,Demowitz,${number},Trial Rd,02134`;
  const use = (header) => page.getByLabel(`What is the column ${header}?`, { exact: true });
  const shown = (header) => use(header).locator("option:checked").innerText();
  await open("/app/imports");
  await choose(secretary, "joined.csv", text(7));
  await heading(secretary, "2. What is in the file").waitFor();
  await idle(page);
  await use("House No").selectOption({ label: "Address" });
  await idle(page);
  await use("Street").selectOption({ label: "Address, behind “House No”" });
  await idle(page);
  assert.deepEqual([await shown("House No"), await shown("Street")], ["Address", "Address, behind “House No”"]);

  // One column is taken out of it, and put back.
  await use("Street").selectOption({ label: "not used" });
  await idle(page);
  assert.deepEqual([await shown("House No"), await shown("Street")], ["Address", "not used"]);
  await use("Street").selectOption({ label: "Address, behind “House No”" });
  await idle(page);
  await page.getByRole("button", { name: /^Compare 1 row/ }).click();
  await heading(secretary, "3. What would change").waitFor();
  await idle(page);
  await page.getByRole("button", { name: "Send 1 row" }).click();
  await heading(secretary, "Done").waitFor();
  await idle(page);
  assert.equal((await api(url, key, "GET", "clients?external_id=J-7")).clients[0].address_line1, "7 Trial Rd");

  await open("/app/imports");
  await choose(secretary, "joined.csv", text(8));
  await heading(secretary, "2. What is in the file").waitFor();
  await idle(page);
  assert.deepEqual([await shown("House No"), await shown("Street")], ["Address", "Address, behind “House No”"]);
}

const sentences = {
  429: "The service takes no more for the moment",
  500: "The service does not work at the moment",
  401: "You are signed out",
};

/** Each of these answers once, then the service itself. The page says what is wrong, and goes on. */
async function withTrouble({ context, page }, path, link, run) {
  const troubles = [429, 500];
  let isSignedOut = false;
  await context.route(path, async (route) => {
    const status = troubles.shift();
    if (status) {
      const headers = { "retry-after": "2", "content-type": "application/json" };
      return route.fulfill({ status, headers, body: JSON.stringify({ error: { code: "x", message: "x" } }) });
    }
    if (!isSignedOut) {
      isSignedOut = true;
      await context.clearCookies();
    }
    return route.continue();
  });
  await run();
  for (const status of [429, 500, 401]) await page.getByText(sentences[status]).waitFor();
  const other = await context.newPage();
  await other.goto(await link());
  await other.getByRole("button", { name: "Sign in" }).click();
  await other.getByRole("heading", { name: "Overview" }).waitFor();
  await other.close();
  await page.locator("#wait-go").click();
  await context.unroute(path);
}

/** Too many requests, a failing service and the end of the session, while comparing and while sending: nothing is lost. */
export async function outlastsTrouble(secretary, key, link) {
  const { page, open, url } = secretary;
  const rows = Array.from({ length: 600 }, (_, row) => `T-${row},Bob,Sampleton,${row + 1} Demo Ave,Elko,02134,`);
  await open("/app/imports");
  await choose(secretary, "trouble.csv", list(rows));
  await heading(secretary, "2. What is in the file").waitFor();
  await idle(page);
  await withTrouble(secretary, /imports\/preview/, link, () => page.getByRole("button", { name: /^Compare 600 rows/ }).click());
  await heading(secretary, "3. What would change").waitFor();
  await idle(page);
  const previewed = { "New clients": 600, Changed: 0, "As they were": 0, Refused: 0 };
  assert.deepEqual(await counts(page, "preview-counts"), previewed);
  await withTrouble(secretary, /\/batch\?/, link, () => page.getByRole("button", { name: "Send 600 rows" }).click());
  await heading(secretary, "Done").waitFor();
  await idle(page);
  assert.deepEqual(await counts(page, "done-counts"), previewed);
  assert.equal((await api(url, key, "GET", "clients?external_id=T-599")).clients.length, 1);
}
