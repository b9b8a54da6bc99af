// Tests the page as a user who pastes rows: the files are served first, then the network is cut.
import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { chromium } from "playwright-core";

const here = import.meta.dirname;
const pictures = join(here, "../../target/browser");
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
};

const server = createServer(async (request, response) => {
  const file = request.url === "/" ? "index.html" : request.url.slice(1);
  try {
    const content = await readFile(join(here, "dist", file));
    response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "text/plain" }).end(content);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
try {
  await tryPage(`http://127.0.0.1:${server.address().port}/`);
  console.log("the page works, offline, by keyboard and by its labels");
} finally {
  await browser.close();
  server.close();
}

async function tryPage(url) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
  const page = await context.newPage();
  const faults = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith("data:")) faults.push(`it asks for ${request.url()}`);
  });
  await page.goto(url, { waitUntil: "networkidle" });
  await context.setOffline(true);

  // By keyboard: the text area, then the button.
  const rows = page.getByRole("textbox", { name: "Rows" });
  await rows.focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const summary = page.getByRole("status");
  const table = page.getByRole("table");
  await table.waitFor();
  assert.equal(
    await summary.textContent(),
    "5 rows: 2 clients, 1 of them again, 1 in conflict, 1 with errors. 7 values are repaired.",
  );
  const cellsOf = (row) => table.getByRole("row").nth(row).getByRole("cell").allTextContents();
  const [result, , first, , , state, zip, phone] = ["1", ...(await cellsOf(1))];
  assert.deepEqual([result, first, state, zip, phone], ["1", "1001", "12 North Main Street", "illinois→\u00a0IL", "62704.0→\u00a062704"]);
  assert.match((await cellsOf(2))[0], /^the client of row 1$/);
  assert.match((await cellsOf(4))[0], /in conflict.*1001/);
  assert.match((await cellsOf(5)).join("|"), /has an error.*Narnia.*must be a US state.*123.*leading zeros may have been lost/s);
  assert.match(await table.getByRole("columnheader", { name: "Notes" }).textContent(), /not read/);
  await mkdir(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, "sample.png"), fullPage: true });

  // Pasted text is never parsed as HTML.
  await rows.fill("last name\tcity\n<img src=x onerror=alert(1)>\t<b>Reno</b>\n");
  assert.deepEqual(await cellsOf(1), ["new", "<img src=x onerror=alert(1)>", "<b>Reno</b>"]);
  await rows.fill("last name");
  assert.match(await summary.textContent(), /^Paste the line with the names/);
  assert.equal(await table.count(), 0);
  assert.deepEqual(faults, []);
}
