// The viewer at /docs, as somebody with a browser and a key meets it: node viewer.mjs HOST…
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { project, withHost } from "./hosts.mjs";

const pictures = join(project, "target/viewer");
const desktop = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };

/** How long a step may take on a machine that has much else to do. */
const PATIENCE_MS = 180_000;

/** What a page did that it may not: requests to others, errors, breaches of its policy. */
async function watch(context, url) {
  const faults = [];
  await context.exposeBinding("noteFault", (_, fault) => faults.push(fault));
  await context.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sample }) =>
      window.noteFault(`the policy forbids ${effectiveDirective} ${blockedURI} ${sample}`),
    );
  });
  await context.route(
    (asked) => asked.origin !== url && !["data:", "blob:"].includes(asked.protocol),
    (route) => {
      faults.push(`a request to ${route.request().url()}`);
      return route.abort();
    },
  );
  context.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(`${message.type()}: ${message.text()}`);
  });
  context.on("weberror", (error) => faults.push(`thrown: ${error.error()}`));
  context.on("requestfailed", (request) => faults.push(`failed: ${request.url()}`));
  return faults;
}

async function open(browser, url, options) {
  const context = await browser.newContext({ ...options, reducedMotion: "reduce" });
  context.setDefaultTimeout(PATIENCE_MS);
  const faults = await watch(context, url);
  const page = await context.newPage();
  const answer = await page.goto(`${url}/docs`);
  await page.locator(".opblock").first().waitFor();
  return { context, faults, page, answer };
}

async function authorize(page, key) {
  await page.getByRole("button", { name: "Authorize" }).first().click();
  const dialog = page.getByRole("dialog").or(page.locator(".modal-ux")).first();
  await dialog.locator("input").fill(key);
  await dialog.getByRole("button", { name: /^Apply|Authorize/ }).click();
  await dialog.getByRole("button", { name: "Close", exact: true }).click();
}

/** Tries an endpoint out, and gives the status and the body that the page shows. */
async function tryOut(page, method, path, body) {
  const operation = operationOf(page, method, path);
  if (!(await operation.getByRole("button", { name: "Execute" }).isVisible())) {
    if (!(await operation.getByRole("button", { name: "Try it out" }).isVisible())) {
      await operation.locator(".opblock-summary-control").click();
    }
    await operation.getByRole("button", { name: "Try it out" }).click();
  }
  if (body) await operation.locator("textarea.body-param__text").fill(JSON.stringify(body, null, 2));
  // What an earlier try was answered goes first, so that what is read is of this one.
  const shown = operation.locator(".live-responses-table .response").first();
  const clear = operation.getByRole("button", { name: "Clear" });
  if (await clear.isVisible()) await clear.click();
  await shown.waitFor({ state: "detached" });
  await operation.getByRole("button", { name: "Execute" }).click();
  const status = Number((await shown.locator(".response-col_status").innerText()).trim().split(/\s/)[0]);
  return { status, body: JSON.parse(await shown.locator(".response-col_description .highlight-code code").first().innerText()) };
}

function operationOf(page, method, path) {
  const summary = page.locator(`.opblock-summary-path[data-path="${path}"]`);
  return page.locator(`.opblock-${method}`).filter({ has: summary });
}

/** Where an endpoint's request and its answer are on the page. */
async function topOf(page, method, path) {
  await page.evaluate(() => scrollTo(0, 0));
  return { ...(await operationOf(page, method, path).boundingBox()), height: 1700 };
}

/** The page shows every endpoint of the service's own document. */
async function showsEveryEndpoint(page, url) {
  const { paths } = await (await fetch(`${url}/openapi.json`)).json();
  const described = Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => [method, path]));
  for (const [method, path] of described) {
    assert.equal(await operationOf(page, method, path).count(), 1, `${method} ${path} is on the page`);
  }
  assert.equal(await page.locator(".opblock").count(), described.length);
}

/** What is kept in the browser beyond the page. */
function kept(page) {
  return page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie);
}

async function onADesktop(browser, url, key, host) {
  const { context, faults, page, answer } = await open(browser, url, { viewport: desktop, colorScheme: "light" });
  assert.equal(answer.status(), 200);
  assert.match(await page.title(), /Matterbook API/);
  await showsEveryEndpoint(page, url);
  await page.screenshot({ path: join(pictures, `${host}.png`) });

  // Without a key the service says so; the answer is shown like any other, and Chromium notes it as an error.
  assert.equal((await tryOut(page, "get", "/api/v1/me")).status, 401);

  await authorize(page, key);
  const me = await tryOut(page, "get", "/api/v1/me");
  assert.deepEqual([me.status, me.body.account.email], [200, "owner@example.com"]);
  const client = { first_name: "Ana", last_name: "Specimenez", address_line1: "12 N. Main St.", zip: "62704" };
  for (const zip of ["123", "1234567"]) {
    // What stands in the other fields is fit to be sent, and to be sent again: it is a dry run, which saves nothing.
    const posted = await tryOut(page, "post", "/api/v1/clients", { clients: [client, { first_name: "Carl", zip }] });
    assert.deepEqual([posted.status, posted.body.results?.map(({ status }) => status)], [200, ["created", "error"]]);
    assert.equal(posted.body.results[0].id, undefined);
  }
  for (const path of ["/api/v1/clients", "/api/v1/prospects"]) {
    assert.equal((await tryOut(page, "get", path)).status, 200, `GET ${path} as it stands`);
  }
  await page.screenshot({ path: join(pictures, `${host}-tried.png`), fullPage: true, clip: await topOf(page, "post", "/api/v1/clients") });

  assert.equal(await kept(page), "{}", "nothing is kept of a key");
  await page.reload();
  assert.equal((await tryOut(page, "get", "/api/v1/me")).status, 401, "a key is forgotten with the page");
  const isRefusal = (fault) => /status of 401/.test(fault);
  assert.deepEqual(faults.filter((fault) => !isRefusal(fault)), []);
  assert.equal(faults.filter(isRefusal).length, 2);
  await context.close();
}

async function onAPhone(browser, url, host) {
  const options = { viewport: phone, isMobile: true, hasTouch: true, colorScheme: "dark" };
  const { context, faults, page } = await open(browser, url, options);
  await operationOf(page, "post", "/api/v1/clients").locator(".opblock-summary-control").tap();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= phone.width, `the page is ${width} wide on a screen of ${phone.width}`);
  await page.screenshot({ path: join(pictures, `${host}-phone.png`) });
  assert.deepEqual(faults, []);
  await context.close();
}

async function hold(host) {
  const isRoot = process.getuid() === 0;
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    chromiumSandbox: !isRoot,
    args: ["--disable-gpu", "--disable-quic", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
  });
  try {
    await withHost(host, async (url, key) => {
      await onADesktop(browser, url, key, host);
      await onAPhone(browser, url, host);
    });
  } finally {
    await browser.close();
  }
  console.log(`the viewer works in a browser on the ${host} host`);
}

await mkdir(pictures, { recursive: true });
for (const host of process.argv.slice(2)) await hold(host);
