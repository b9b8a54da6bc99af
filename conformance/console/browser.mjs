// A person's browser: what each page must be, whatever it shows.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";

const axe = readFileSync(join(import.meta.dirname, "node_modules/axe-core/axe.min.js"), "utf8");

/** How long a step may take on a machine that has much else to do. */
const PATIENCE_MS = 60_000;

/** A page with its files may weigh so much, compressed. */
const WEIGHT_MAX_BYTES = 50_000;

/** The windows in which each page is looked at: a phone, a laptop, and a laptop at 200 % zoom. */
const windows = {
  phone: { width: 360, height: 740 },
  laptop: { width: 1280, height: 800 },
  zoomed: { width: 640, height: 400 },
};

export async function withBrowser(use) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    chromiumSandbox: process.getuid() !== 0,
    args: ["--disable-gpu", "--disable-quic", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"],
  });
  try {
    return await use(browser);
  } finally {
    await browser.close();
  }
}

/** A browser of somebody: the page, and what it did that it may not. */
export async function person(browser, url, options = {}) {
  const context = await browser.newContext({
    viewport: windows.laptop,
    colorScheme: "light",
    reducedMotion: "reduce",
    timezoneId: "America/Chicago",
    acceptDownloads: true,
    ...options,
  });
  context.setDefaultTimeout(PATIENCE_MS);
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
  context.on("weberror", (error) => faults.push(`thrown: ${error.error()}`));
  const page = await context.newPage();
  page.on("console", (message) => {
    // Chromium notes each answer of 400 and more, which the steps check themselves.
    const isNote = /status of 4\d\d/.test(message.text());
    if (["error", "warning"].includes(message.type()) && !isNote) faults.push(`${message.type()}: ${message.text()}`);
  });
  const open = async (path) => (await page.goto(url + path)).status();
  return { context, page, faults, open, url };
}

/**
 * Checks the page in each window: nothing wider than the window, and nothing that axe-core finds. Leaves pictures of it
 * where `pictures` is a directory.
 */
export async function inspect({ page, url }, name, pictures) {
  // Before its style sheet a page is wider.
  await page.waitForLoadState();
  for (const [window, size] of Object.entries(windows)) {
    await page.setViewportSize(size);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= size.width, `${name} is ${width} wide in a window of ${size.width}`);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      const found = await findings(page);
      assert.deepEqual(found, [], `${name}, ${window}, ${colorScheme}`);
      const isShown = window === "laptop" || colorScheme === "light";
      if (pictures && isShown) await page.screenshot({ path: join(pictures, `${name}-${window}-${colorScheme}.png`), fullPage: true });
    }
    await page.emulateMedia({ colorScheme: "light" });
  }
  await page.setViewportSize(windows.laptop);
  await weigh(page, url, name);
}

async function findings(page) {
  // The policy of the pages forbids inline scripts; the browser's own protocol is not bound by it.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }),
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ").slice(0, 400)}`);
}

/** The bytes of a page and of the files that it names, compressed. */
async function weigh(page, url, name) {
  const paths = await page.evaluate(() => [
    ...[...document.querySelectorAll("link[rel=stylesheet]")].map(({ href }) => href),
    ...[...document.querySelectorAll("script[src]")].map(({ src }) => src),
  ]);
  const texts = await Promise.all(paths.map(async (path) => (await fetch(new URL(path, url))).text()));
  const bytes = [await page.content(), ...texts].reduce((sum, text) => sum + gzipSync(text).length, 0);
  assert.ok(bytes <= WEIGHT_MAX_BYTES, `${name} weighs ${bytes} bytes`);
  weights.set(name, bytes);
}

/** What each page weighed. */
export const weights = new Map();

/** Presses Tab until the element has the focus, as somebody without a mouse does. */
export async function tabTo(page, locator) {
  for (let presses = 0; presses < 200; presses += 1) {
    if (await locator.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`no way by keyboard to ${locator}`);
}
