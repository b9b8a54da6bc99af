// Prints, as Markdown, the memory of the import page while it checks and compares a large file: node memory.mjs [ROWS]
// A million rows, which is the default, take some ten minutes.
//
// Chromium is driven over its pipe, without a network log: the log keeps every answer in the process of the page. Read
// every 50 ms from /proc are the process's own memory (RssAnon and VmSwap, what Chromium's task manager shows) and its
// resident memory, which has Chromium's code too (VmHWM). Needs Linux, Chromium, Python 3, and the program of `cargo build`.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { operate, withHost } from "./hosts.mjs";

const rows = Number(process.argv[2] ?? 1_000_000);

/** How long a step may take: a million rows are compared in some minutes. */
const PATIENCE_MS = 30 * 60 * 1_000;

/** Writes clients.csv and clients.xlsx with the same rows, as a spreadsheet program saves them. */
const generator = `
import sys, zipfile
folder, rows = sys.argv[1], int(sys.argv[2])
names = ["Case No", "First Name", "Last Name", "Street", "City", "State", "Zip", "Phone", "Email", "Case Type", "Settled"]
def values(row):
    return [f"M-{row}", ["Ana", "Bob", "Carla", "Dee", "Omar", "Rosa"][row % 6], f"Specimenez{row % 5003}",
            f"{1 + row % 9001} Oak Street", "Springfield", "IL", str(10001 + row % 80000),
            f"(217) 555-{row % 10000:04}", f"client{row}@example.com", "Auto accident",
            f"{1 + row % 12}/{1 + row % 28}/{2023 + row % 3}"]
with open(folder + "/clients.csv", "w") as file:
    file.write(",".join(names) + "\\n")
    for row in range(rows):
        file.write(",".join(values(row)) + "\\n")
head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
package = "http://schemas.openxmlformats.org/package/2006"
content = "application/vnd.openxmlformats-officedocument.spreadsheetml"
parts = {
    "[Content_Types].xml": f'<Types xmlns="{package}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="{content}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="{content}.worksheet+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="{content}.sharedStrings+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets><sheet name="Clients" sheetId="1" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" Type="{office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="{office}/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
}
places = {}
with zipfile.ZipFile(folder + "/clients.xlsx", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as book:
    for name, text in parts.items():
        book.writestr(name, head + text)
    with book.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as sheet:
        sheet.write(f'{head}<worksheet xmlns="{main}"><sheetData>'.encode())
        for row in range(rows + 1):
            cells = names if row == 0 else values(row - 1)
            text = "".join(f'<c r="{"ABCDEFGHIJK"[column]}{row + 1}" t="s"><v>{places.setdefault(cell, len(places))}</v></c>' for column, cell in enumerate(cells))
            sheet.write(f'<row r="{row + 1}">{text}</row>'.encode())
        sheet.write(b"</sheetData></worksheet>")
    with book.open("xl/sharedStrings.xml", "w", force_zip64=True) as strings:
        strings.write(f'{head}<sst xmlns="{main}" uniqueCount="{len(places)}">'.encode())
        for text in places:
            strings.write(f"<si><t>{text}</t></si>".encode())
        strings.write(b"</sst>")
`;

/** Chromium with one page: `send` gives a command of the DevTools protocol to it. */
async function startBrowser(profile) {
  const options = ["--headless", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--no-first-run"];
  if (process.getuid() === 0) options.push("--no-sandbox");
  const browser = spawn(process.env.CHROMIUM ?? "/usr/bin/chromium",
    [...options, "--remote-debugging-pipe", `--user-data-dir=${profile}`, "about:blank"],
    { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
  const [, , , commands, answers] = browser.stdio;
  const waiting = new Map();
  let text = "";
  answers.setEncoding("utf8").on("data", (piece) => {
    const messages = (text + piece).split("\0");
    text = messages.pop();
    for (const { id, result, error } of messages.map(JSON.parse)) {
      const { resolve, reject } = waiting.get(id) ?? {};
      waiting.delete(id);
      if (error) reject?.(new Error(error.message));
      else resolve?.(result);
    }
  });
  let last = 0;
  const ended = once(browser, "exit").then(() => {
    for (const { reject } of waiting.values()) reject(new Error("the browser ended"));
  });
  const ask = (method, params, sessionId) => new Promise((resolve, reject) => {
    waiting.set((last += 1), { resolve, reject });
    commands.write(`${JSON.stringify({ id: last, method, params, sessionId })}\0`);
  });
  const { targetInfos } = await ask("Target.getTargets", {});
  const { targetId } = targetInfos.find(({ type }) => type === "page");
  const { sessionId } = await ask("Target.attachToTarget", { targetId, flatten: true });
  return { browser, ended, send: (method, params = {}) => ask(method, params, sessionId) };
}

async function evaluate({ send }, expression) {
  const { result, exceptionDetails } = await send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until an expression is true in the page. */
async function until(page, expression) {
  for (const end = Date.now() + PATIENCE_MS; !(await evaluate(page, expression)); await pause(50)) {
    if (Date.now() > end) throw new Error(await evaluate(page, "document.body.innerText"));
  }
}

/** The process of the page: of those that draw pages the one with the most memory. */
async function renderer(browser) {
  const found = [];
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (command.includes("--type=renderer") && command.includes(`--user-data-dir=${browser.profile}`)) {
      found.push({ pid, ...(await memory(pid)) });
    }
  }
  return found.sort((one, other) => other.own - one.own)[0].pid;
}

async function memory(pid) {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const kilobytes = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1]);
  return { own: 1_024 * (kilobytes("RssAnon") + kilobytes("VmSwap")), resident: 1_024 * kilobytes("VmHWM") };
}

/** The most memory of a process while something is done. */
async function peakWhile(pid, work) {
  const peak = await memory(pid);
  let isDone = false;
  const sampled = (async () => {
    for (; !isDone; await pause(50)) {
      const now = await memory(pid);
      peak.own = Math.max(peak.own, now.own);
      peak.resident = Math.max(peak.resident, now.resident);
    }
  })();
  await work().finally(() => (isDone = true));
  await sampled;
  return peak;
}

async function measure(url, link, folder, name) {
  const profile = await mkdtemp(join(folder, "profile-"));
  const page = await startBrowser(profile);
  page.browser.profile = profile;
  try {
    const show = (what, { own, resident }) =>
      console.log(`| ${what} | ${Math.round(own / 1e6)} MB | ${Math.round(resident / 1e6)} MB |`);
    await page.send("Page.navigate", { url: link });
    await until(page, "!!document.querySelector('form button')");
    await evaluate(page, "document.querySelector('form button').click()");
    await until(page, "location.pathname === '/app'");
    await page.send("Page.navigate", { url: `${url}/app/imports` });
    const input = "document.querySelector('input[type=file]')";
    await until(page, `!!${input} && !document.querySelector('#import[aria-busy]')`);
    const pid = await renderer(page.browser);
    show("no file", await memory(pid));
    const { root } = await page.send("DOM.getDocument");
    const { nodeId } = await page.send("DOM.querySelector", { nodeId: root.nodeId, selector: "input[type=file]" });
    const checked = await peakWhile(pid, async () => {
      await page.send("DOM.setFileInputFiles", { nodeId, files: [join(folder, name)] });
      const isChecked = "/2\\. What is in the file/.test(document.body.innerText) && !document.querySelector('#import[aria-busy]')";
      await until(page, isChecked);
    });
    const bytes = (await stat(join(folder, name))).size;
    show(`${name}, ${rows} rows, ${Math.round(bytes / 1e6)} MB, checked`, checked);
    const compare = "[...document.querySelectorAll('button')].find((button) => button.innerText.startsWith('Compare'))";
    if (!(await evaluate(page, `!!${compare}`))) throw new Error(await evaluate(page, "document.body.innerText"));
    const compared = await peakWhile(pid, async () => {
      await evaluate(page, `${compare}.click()`);
      const isCompared = "/3\\. What would change/.test(document.body.innerText) && !document.querySelector('#import[aria-busy]')";
      await until(page, isCompared);
    });
    show("… and compared with an account without clients", compared);
  } finally {
    page.browser.kill();
    await page.ended;
  }
}

const folder = await mkdtemp(join(tmpdir(), "matterbook-memory-"));
try {
  await promisify(execFile)("python3", ["-c", generator, folder, String(rows)]);
  await withHost("native", async ({ url }) => {
    const account = { email: "owner@example.com", api_enabled: true };
    const { account: { id } } = await operate(url, "POST", "accounts", account);
    const { logins: [{ id: login }] } = await operate(url, "GET", `accounts/${id}/logins`);
    console.log("| the import page | its own memory, at most | resident, with Chromium's code |\n|---|---:|---:|");
    for (const name of ["clients.csv", "clients.xlsx"]) {
      const { link } = await operate(url, "POST", `logins/${login}/link`);
      await measure(url, link.url, folder, name);
    }
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}
