import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { person, withBrowser } from "./browser.mjs";
import { operate, project, withHost } from "./hosts.mjs";
import { joinsColumns, outlastsTrouble, seesAnotherChange } from "./imports-trouble.mjs";
import { importsManyRows, importsSpreadsheet } from "./imports.mjs";
const pictures = join(project, "target/console");
await mkdir(pictures, { recursive: true });
const link = async (url, login) => (await operate(url, "POST", `logins/${login}/link`)).link.url;
async function firm(url, email) {
  const { account } = await operate(url, "POST", "accounts", { email, api_enabled: true, digital_bundle: true, contact_enrichment: true });
  const { logins } = await operate(url, "GET", `accounts/${account.id}/logins`);
  return { id: account.id, owner: logins[0].id, link: await link(url, logins[0].id) };
}
const which = process.argv.slice(3);
await withHost(process.argv[2], ({ url, log }) => withBrowser(async (browser) => {
  const [small, many, pushed] = [await firm(url, "a@third.example"), await firm(url, "b@third.example"), await firm(url, "c@third.example")];
  const key = async ({ id }) => (await operate(url, "POST", `accounts/${id}/keys`, {})).key.key;
  const secretary = await person(browser, url);
  secretary.page.on("console", (m) => console.log("console:", m.text()));
  await secretary.page.goto(small.link);
  await secretary.page.getByRole("button", { name: "Sign in" }).click();
  await secretary.page.getByRole("heading", { name: "Overview" }).waitFor();
  const k = await key(small);
  const steps = { small: () => importsSpreadsheet(secretary, pictures), changed: () => seesAnotherChange(secretary, k, pictures), join: () => joinsColumns(secretary, k),
    trouble: () => outlastsTrouble(secretary, k, () => link(url, small.owner)), many: async () => importsManyRows(browser, url, many.link, await key(many), await key(pushed)) };
  for (const step of which.length ? which : Object.keys(steps)) {
    const t = Date.now();
    try { await steps[step](); console.log("ok", step, Date.now() - t); } catch (e) { console.log("FAILED", step, e.message.slice(0, 1500), e.stack.split("\n").filter(l => l.includes("imports")).slice(0,4).join("\n")); console.log(await secretary.page.locator("#import").innerText().catch(() => "")); await secretary.page.screenshot({path: "/tmp/page-fail.png", fullPage: true}); process.exitCode = 1; break; }
  }
  console.log("faults", secretary.faults);
}));
