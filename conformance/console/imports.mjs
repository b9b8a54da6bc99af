// Importing a spreadsheet in the browser, as a secretary does.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { inspect, person, tabTo } from "./browser.mjs";
import { project } from "./hosts.mjs";

/** A small list with one of each damage. */
export const damaged = [
  "Case No,First Name,Last Name,Street,Zip,Phone #,Settled,Notes",
  "M-1,Ana,Specimenez,12 Oak St,2134,(217) 555-0134,1/5/2026,call back",
  "M-2,Bob,Sampleton,5 Demo Ave,501,217-555,,",
  "M-3,Dee,Exampleton,7 Trial Rd,00501,N/A,2/9/2025,",
  ",ANA,Specimenez,12 Oak Street,02134,,,",
  "M-4,Ana,Specimenez,12 Oak St,02134,,,",
].join("\n");

const names = { first: ["Ana", "Bob", "Carla", "Dee", "Omar", "Rosa"], last: ["Specimenez", "Sampleton", "Exampleton", "Demowitz"] };

/** Many rows, one in ten damaged. The same rows each time. */
export function rowsOfDamage(rows) {
  let seed = 7;
  const random = (below) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const lines = ["Client ID,First Name,Last Name,Address,Zip,Phone,Settled"];
  for (let row = 0; row < rows; row += 1) {
    const damage = random(40);
    const id = damage === 0 ? "1.00457E+11" : damage === 1 ? `M-${random(rows)}` : `M-${row}`;
    const zip = damage === 2 ? "501" : String(10_001 + random(80_000));
    const phone = damage === 3 ? "217-555" : `(217) 555-${String(random(10_000)).padStart(4, "0")}`;
    const settled = random(3) === 0 ? `${1 + random(12)}/${1 + random(28)}/${2023 + random(3)}` : "";
    const [first, last] = [names.first[random(6)], names.last[random(4)]];
    lines.push(`${id},${first},${last},${1 + random(9_000)} Oak Street,${zip},${phone},${settled}`);
  }
  return lines.join("\n");
}

const file = (name, text) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });

export const choose = ({ page }, name, text) => page.getByLabel("Choose a file").setInputFiles(file(name, text));

export const heading = ({ page }, name) => page.getByRole("heading", { name, exact: false });

/** The counts that a list of tiles shows. */
export async function counts(page, id) {
  const texts = await page.locator(`#${id} li`).allInnerTexts();
  return Object.fromEntries(texts.map((text) => text.split("\n").reverse()).map(([name, count]) => [name, Number(count.replace(",", ""))]));
}

/** Waits until the page has done what it was asked. */
export const idle = (page) => page.locator("#import:not([aria-busy])").waitFor();

async function download(page, name) {
  const [got] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
  return { name: got.suggestedFilename(), bytes: await readFile(await got.path()) };
}

/** A small file: columns, problems, corrections, comparison, sending, and the refused rows. */
export async function importsSpreadsheet(secretary, pictures) {
  const { page, open } = secretary;
  await open("/app/imports");
  await inspect(secretary, "import-empty", pictures);
  await tabTo(page, page.getByLabel("Choose a file"));
  await choose(secretary, "clients.csv", damaged);
  await heading(secretary, "2. What is in the file").waitFor();
  await idle(page);
  await inspect(secretary, "import", pictures);

  // A column gets another use.
  await page.getByLabel("What is the column Notes?").selectOption({ label: "Case type" });
  await idle(page);
  assert.equal(await page.getByLabel("What is the column Notes?").inputValue(), "case_type");

  // A value is corrected, and those of a whole column are emptied.
  const zip = page.locator(".problem").filter({ hasText: "ZIP must have" });
  await tabTo(page, zip.getByText("Correct…"));
  await page.keyboard.press("Enter");
  await zip.getByLabel("Zip in row 3").fill("00502");
  await zip.getByRole("button", { name: "Correct", exact: true }).click();
  await idle(page);
  const phone = page.locator(".problem").filter({ hasText: "Phone must have" });
  await phone.getByText("Correct…").click();
  await inspect(secretary, "import-correct", pictures);
  await phone.getByRole("button", { name: "Empty all of these cells" }).click();
  await idle(page);
  assert.equal(await page.locator(".problem").count(), 1);

  const compare = page.getByRole("button", { name: /^Compare 5 rows/ });
  await tabTo(page, compare);
  await page.keyboard.press("Enter");
  await heading(secretary, "3. What would change").waitFor();
  await idle(page);
  const previewed = await counts(page, "preview-counts");
  assert.deepEqual(previewed, { "New clients": 3, Changed: 1, "As they were": 0, Refused: 1 });
  assert.deepEqual(await page.locator("#settled-years tr").allInnerTexts(), ["2025\t1\t0", "2026\t1\t0"]);
  await inspect(secretary, "import-preview", pictures);
  await page.getByRole("button", { name: "Send 5 rows" }).click();
  await heading(secretary, "Done").waitFor();
  await idle(page);
  assert.deepEqual(await counts(page, "done-counts"), previewed);
  await inspect(secretary, "import-done", pictures);
  const refused = await download(page, /^Download the refused rows/);
  assert.equal(refused.name, "clients.refused.xlsx");
  assert.equal(refused.bytes.subarray(0, 2).toString(), "PK");

  // The refused rows are a file that can be imported, and the same file changes nothing.
  await open("/app/imports");
  await page.getByRole("row").filter({ hasText: "clients.csv" }).waitFor();
  await page.getByLabel("Choose a file").setInputFiles({ ...file("clients.refused.xlsx", ""), buffer: refused.bytes });
  await heading(secretary, "2. What is in the file").waitFor();
  await page.getByText("1 row", { exact: false }).first().waitFor();
  // The use of the columns is remembered for the firm.
  assert.equal(await page.getByLabel("What is the column Notes?").inputValue(), "case_type");
}

/** The clients of an account without what differs from account to account. */
async function clientsOf(url, key) {
  const clients = [];
  for (let cursor = ""; cursor !== null; ) {
    const asked = await fetch(`${url}/api/v1/clients?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    if (asked.status === 429) {
      await new Promise((resolve) => setTimeout(resolve, Number(asked.headers.get("retry-after")) * 1_000));
      continue;
    }
    assert.equal(asked.status, 200);
    const page = await asked.json();
    for (const { id, created_at, updated_at, ...client } of page.clients) clients.push(JSON.stringify(client));
    cursor = page.next_cursor;
  }
  return clients.sort();
}

const settle = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** 20,000 rows, with the network gone and the page closed in the middle; then the clients are those of a push. */
export async function importsManyRows(browser, url, link, key, other) {
  const text = rowsOfDamage(20_000);
  const owner = await person(browser, url);
  const { context, page } = owner;
  await page.goto(link);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await owner.open("/app/imports");
  const began = Date.now();
  await choose(owner, "many.csv", text);
  await heading(owner, "2. What is in the file").waitFor();
  await idle(page);
  console.log(`20,000 rows are shown after ${Date.now() - began} ms`);
  await page.getByRole("button", { name: /^Compare 20,000 rows/ }).click();
  await heading(owner, "3. What would change").waitFor();
  await idle(page);
  const previewed = await counts(page, "preview-counts");

  // After ten batches nothing arrives any more.
  let batches = 0;
  await context.route(/\/batch\?/, (route) => ((batches += 1) > 10 ? route.abort() : route.continue()));
  await page.getByRole("button", { name: /^Send 20,000 rows/ }).click();
  await page.getByText("The network is gone").waitFor();
  await page.close({ runBeforeUnload: false });
  await context.unroute(/\/batch\?/);

  const again = { ...owner, page: await context.newPage() };
  await again.page.goto(`${url}/app/imports`);
  await again.page.getByText("not finished").waitFor();
  await choose(again, "many.csv", text);
  await heading(again, "This file was begun").waitFor();
  const [, sent] = (await again.page.locator("#begun-text").innerText()).match(/: ([\d,]+) of 20,000 rows are sent/);
  // Rows of one client are not parted, so a batch may have fewer than 500.
  assert.ok(Math.abs(Number(sent.replace(",", "")) - 5_000) < 50, sent);
  await again.page.getByRole("button", { name: "Go on" }).first().click();
  await again.page.getByRole("button", { name: "Pause" }).click();
  await again.page.getByText("Paused").waitFor();
  await again.page.locator("#go").click();
  await heading(again, "Done").waitFor();
  await idle(again.page);
  const done = await counts(again.page, "done-counts");
  assert.deepEqual(done, previewed);
  const refused = await download(again.page, /^Download the refused rows/);
  assert.ok(refused.bytes.length > 1_000);
  await again.page.goto(`${url}/app/imports`);
  const row = await again.page.getByRole("row").filter({ hasText: "many.csv" }).innerText();
  assert.match(row, /20,000/);
  assert.doesNotMatch(row, /not finished| of /);
  assert.deepEqual(owner.faults, []);

  // A push of the same file to another account.
  const directory = await mkdtemp(join(tmpdir(), "matterbook-console-"));
  const path = join(directory, "many.csv");
  await writeFile(path, text);
  const push = [join(project, "target/debug/matterbook"), ["push", path, "--url", `${url}/api/v1`, "--key", other, "--yes", "--restart"]];
  // It ends with 1, because rows are refused.
  await promisify(execFile)(...push).catch((error) => assert.equal(error.code, 1, error.stderr));
  await settle(1_000);
  const [imported, pushed] = [await clientsOf(url, key), await clientsOf(url, other)];
  assert.equal(imported.length, done["New clients"]);
  assert.deepEqual(imported, pushed);
  await rm(directory, { recursive: true });
  await context.close();
}

/** Who only looks at things has the past imports, and no reader of files. */
export async function seesPastImports({ page, open }) {
  assert.equal(await open("/app/imports"), 200);
  await page.getByRole("heading", { name: "Past imports" }).waitFor();
  assert.equal(await page.locator("input[type=file]").count(), 0);
  const answer = await page.evaluate(async () => (await fetch("/app/imports/new", { method: "POST", body: "{}" })).status);
  assert.equal(answer, 403);
}
