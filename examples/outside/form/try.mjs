// Tests the form as a user who fills it: the files are served first, then the network is cut.
import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { createRequire } from "node:module";

const here = import.meta.dirname;
// The packages of the other example in a browser, which the gate has installed.
const { chromium } = createRequire(join(here, "../../browser/package.json"))("playwright-core");
const pictures = join(here, "../../../target/browser");
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

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
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
try {
  const context = await browser.newContext({ viewport: { width: 600, height: 900 } });
  const page = await context.newPage();
  const faults = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  await page.goto(`http://127.0.0.1:${server.address().port}/`, { waitUntil: "networkidle" });
  await context.setOffline(true);

  const field = (label) => page.getByLabel(label);
  for (const [label, typed, kept] of [
    ["State", "new york", "NY"],
    ["ZIP code", "2134", "02134"],
    ["Phone number", "(617) 555-0142 ext. 9", "+16175550142"],
    ["Email address", "Ana@EXAMPLE.com", "Ana@example.com"],
    ["Case opened on", "Jan 5, 2026", "2026-01-05"],
  ]) {
    await field(label).fill(typed);
    await page.keyboard.press("Tab");
    assert.equal(await field(label).inputValue(), kept, label);
  }
  await field("ZIP code").fill("123");
  await page.keyboard.press("Enter");
  assert.equal(await page.getByRole("status").textContent(), "1 to fix.");
  assert.equal(await field("ZIP code").getAttribute("aria-invalid"), "true");
  const described = await field("ZIP code").getAttribute("aria-describedby");
  assert.match(await page.locator(`#${described}`).textContent(), /^It must have 5 or 9 digits, but has 3;/);
  assert.equal(await field("ZIP code").inputValue(), "123");
  await mkdir(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, "form.png") });
  await field("ZIP code").fill("02134");
  await page.keyboard.press("Enter");
  assert.equal(await page.getByRole("status").textContent(), "All fields can be saved.");
  assert.deepEqual(faults, []);
  console.log("the form works, offline, by keyboard and by its labels");
} finally {
  await browser.close();
  server.close();
}
