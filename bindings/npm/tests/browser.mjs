// Loads the package in Chromium, as a page does without a bundler, and runs all vectors there.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";

import { chromium } from "playwright-core";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };
const PAGE = `<!doctype html><title>rules</title><link rel="icon" href="data:,">
<script type="importmap">{ "imports": { "@matterbook/rules": "/package/js/browser.js" } }</script>
<script type="module">
  import * as rules from "@matterbook/rules";
  import { check } from "/tests/vectors.mjs";
  globalThis.check = (file) => check(rules, file);
  globalThis.rules = rules;
</script>`;

const ROOTS = { package: process.env.MATTERBOOK_PACKAGE, tests: import.meta.dirname };
const server = createServer(async (request, response) => {
  const [, root, ...path] = request.url.split("/");
  try {
    const content = root === "" ? PAGE : await readFile(join(ROOTS[root], ...path));
    response.writeHead(200, { "Content-Type": TYPES[extname(request.url)] ?? "text/html" }).end(content);
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
  const page = await browser.newPage();
  const faults = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.waitForFunction(() => globalThis.check !== undefined, undefined, { timeout: 30_000 });
  let cases = 0;
  for (const name of ["vectors.json", "more_vectors.json"]) {
    const file = JSON.parse(await readFile(join(process.env.MATTERBOOK_VECTORS, name), "utf8"));
    const found = await page.evaluate((file) => globalThis.check(file), file);
    assert.deepEqual(found, { failures: [], passed: file.counts.total });
    cases += found.passed;
  }
  assert.deepEqual(await page.evaluate(() => globalThis.rules.normalizeValue("zip", 2134)), { value: "02134" });
  assert.deepEqual(faults, []);
  console.log(`${cases} cases have the expected result in Chromium`);
} finally {
  await browser.close();
  server.close();
}
