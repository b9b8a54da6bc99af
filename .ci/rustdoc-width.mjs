// Called by rustdoc-width, with the names of the crates.
import { readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const project = resolve(import.meta.dirname, "..");
const { chromium } = createRequire(join(project, "examples/browser/package.json"))("playwright-core");
const crates = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
let pages = 0;
const faults = [];
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  for (const crate of crates) {
    const folder = join(project, "target/doc", crate);
    for (const file of await readdir(folder, { recursive: true })) {
      // SmolStr is documented by its own crate.
      if (!file.endsWith(".html") || file.endsWith("struct.SmolStr.html")) continue;
      pages += 1;
      await page.goto(pathToFileURL(join(folder, file)).href, { waitUntil: "load" });
      const lines = await page.$$eval("pre.rust.rust-example-rendered, .docblock pre", (blocks) =>
        blocks
          .filter((block) => {
            const code = block.querySelector("code") ?? block;
            return code.scrollWidth > code.clientWidth + 1 || block.scrollWidth > block.clientWidth + 1;
          })
          .map((block) => block.textContent.split("\n").reduce((one, other) => (other.length > one.length ? other : one))),
      );
      faults.push(...lines.map((line) => `${crate}/${file}: ${line.length} characters: ${line.trim()}`));
    }
  }
} finally {
  await browser.close();
}
if (pages === 0) throw new Error("no page was opened, so the check is void");
faults.forEach((fault) => console.error(fault));
console.log(`${pages} pages, ${faults.length} examples that are cut off`);
process.exitCode = faults.length === 0 ? 0 : 1;
