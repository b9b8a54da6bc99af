// The import page: shows what the thread finds in the file, and takes what the person decides. No row leaves the
// computer before a button that says so.

import { columnRow, element, kept, mapped, number, recalled } from "./{columns}";
import { problemCard, repairRow } from "./{problems}";

const worker = new Worker("/app/files/{worker}", { type: "module" });
const part = (name) => document.getElementById(name);

// --- The thread ---

const waiting = new Map();
let questions = 0;

function ask(task, more = {}) {
  questions += 1;
  worker.postMessage({ task, number: questions, ...more });
  return new Promise((done, failed) => waiting.set(questions, { done, failed }));
}

worker.addEventListener("message", ({ data }) => {
  if (data.answers) {
    const { done, failed } = waiting.get(data.answers);
    waiting.delete(data.answers);
    if (data.problem === undefined) done(data);
    else failed(new Error(data.problem));
  } else {
    told[data.tells](data);
  }
});

worker.addEventListener("error", (event) => {
  event.preventDefault();
  show("problem");
  part("problem-text").textContent =
    "The browser could not go on with this file. Reload the page and choose the file again. What was sent is saved.";
});

// --- What is shown ---

const steps = ["begun", "columns", "check", "preview", "sending", "changed", "stopped", "done", "problem"];

/** Shows these steps and hides all others. */
function show(...names) {
  for (const name of steps) part(name).hidden = !names.includes(name);
}

function status(text, progress) {
  part("status").textContent = text;
  const bar = part("bar");
  bar.hidden = progress === undefined;
  if (progress !== undefined) bar.value = progress;
}

const waits = {
  offline: "The network is gone. The import waits, and goes on by itself.",
  limit: "The service takes no more for the moment. The import goes on by itself.",
  failing: "The service does not work at the moment. The import tries again by itself.",
  "signed-out": "You are signed out. Sign in again in another tab, then press “Go on”.",
};

let isSending = false;
let total = 0;

const told = {
  reading: ({ rows, part }) => status(`${number(rows)} rows are read`, part),
  previewing: ({ rows }) => status(`${number(rows)} of ${number(total)} rows are compared`, rows / total),
  sending: ({ rows, counts }) => {
    const { conflict, error } = counts;
    const not = conflict + error > 0 ? `, ${number(conflict + error)} of them refused` : "";
    status(`${number(rows)} of ${number(total)} rows are sent${not}`, rows / total);
  },
  waiting: ({ why }) => {
    part("wait").hidden = false;
    part("wait-text").textContent = waits[why];
    part("wait-go").hidden = why !== "signed-out";
    part("wait-go").disabled = false;
  },
  "going-on": () => (part("wait").hidden = true),
  changed: showChanged,
  paused: () => status("Paused. What was sent is saved.", part("bar").value),
};

part("wait-go").addEventListener("click", () => {
  part("wait").hidden = true;
  worker.postMessage({ task: "go-on" });
});

// --- The steps ---

let fileName;
let settings;
let columns;
let report;
let begun;
let remembered = [];

const fresh = () => ({ maps: [], leaves_out_unreadable: false, separate_settlements: false, fixes: [] });

/** Runs a step; what stops it is shown in place of what comes after. */
async function step(text, run) {
  const focused = document.activeElement;
  for (const control of document.querySelectorAll("#import button, #file")) control.disabled = true;
  status(text);
  part("import").setAttribute("aria-busy", "true");
  try {
    await run();
    status("");
  } catch (error) {
    status("");
    show("problem");
    part("problem-text").textContent = error.message;
  } finally {
    part("wait").hidden = true;
    part("import").removeAttribute("aria-busy");
    for (const control of document.querySelectorAll("#import button, #file")) control.disabled = false;
    if (document.activeElement === document.body) focused?.focus();
  }
}

/** Moves the reader of the screen to a step. */
function goTo(name) {
  part(name).querySelector("h2").focus();
}

async function choose(file, isDropped) {
  fileName = file.name;
  // The browser names a chosen file itself.
  part("file-name").textContent = isDropped ? file.name : "";
  part("past").hidden = true;
  show();
  await step("The file is read", async () => {
    try {
      remembered = (await (await fetch("/app/imports/mappings")).json()).mappings ?? [];
    } catch {
      remembered = [];
    }
    const answer = await ask("choose", { file });
    begun = answer.begun;
    if (begun) return showBegun();
    settings = fresh();
    columns = answer.columns;
    settings.maps = recalled(remembered, columns);
    await look();
  });
}

function showBegun() {
  const { sent_rows, rows } = begun.import;
  part("begun-text").textContent =
    `This file was begun: ${number(sent_rows)} of ${number(rows)} rows are sent and saved. Go on with the others?`;
  show("begun");
  goTo("begun");
}

part("begun-go").addEventListener("click", () => {
  settings = begun.settings;
  total = begun.import.rows;
  return run("resume", { id: begun.id }, true);
});

part("begun-drop").addEventListener("click", () =>
  step("", async () => {
    await ask("discard", { id: begun.id });
    settings = fresh();
    columns = (await ask("columns", { settings })).columns;
    await look();
  }),
);

/** Columns and check, after each change of the settings. */
async function look() {
  columns = (await ask("columns", { settings })).columns;
  showColumns();
  report = (await ask("check", { settings })).report;
  total = report.rows;
  showReport();
  show("columns", "check");
}

const again = (text) => step(text, look);

// --- Columns ---

function showColumns() {
  const { kind, sheet, other_sheets, titles } = columns;
  const about = [];
  if (titles.length > 0) about.push(`${titles.length === 1 ? "One row" : `${number(titles.length)} rows`} above the headers are left out.`);
  part("file-about").textContent = about.join(" ");
  part("sheets").hidden = kind !== "workbook" || other_sheets.length === 0;
  const names = [sheet, ...other_sheets];
  part("sheet").replaceChildren(...names.map((name) => element("option", { textContent: name ?? "", selected: name === sheet })));
  part("column-warnings").replaceChildren(...columns.warnings.map((text) => element("p", { textContent: text })));
  part("column-warnings").hidden = columns.warnings.length === 0;

  const shown = columns.columns.slice(0, 300);
  part("column-rows").replaceChildren(...shown.map((_, place) => columnRow(columns, settings.maps, place, map)));
  const more = columns.columns.length - shown.length;
  part("more-columns").textContent = more > 0 ? `${number(more)} further columns are not shown.` : "";
}

/** Uses a column as something else. */
function map(header, choice) {
  settings.maps = mapped(columns, settings.maps, header, choice);
  return again("The file is checked again");
}

part("sheet").addEventListener("change", () => {
  settings = { ...fresh(), sheet: part("sheet").value };
  return again("The sheet is read");
});

// --- What the check found ---

function showReport() {
  part("report-lines").replaceChildren(...report.lines.map(([, line]) => element("li", { textContent: line })));
  part("report-notes").replaceChildren(...report.notes.map((text) => element("p", { textContent: text })));
  part("problems").replaceChildren(...report.problems.map((problem, place) => problemCard(problem, place, fix)));
  if (report.more_problems > 0) {
    part("problems").append(element("p", { textContent: `${number(report.more_problems)} more problems, of other kinds.` }));
  }
  const several = report.column_of_several_numbers;
  part("several-numbers").hidden = !several;
  if (several) {
    part("several-numbers-text").textContent =
      `${number(several.rows)} rows have the name, address and ZIP of an earlier row and another number in the column “${several.header}”. If one person can have several of these numbers, do not use that column.`;
  }
  part("unreadable").checked = settings.leaves_out_unreadable;
  part("several-dates").hidden = report.several_dates.length === 0;
  part("several-dates-lines").replaceChildren(...report.several_dates.map((text) => element("li", { textContent: text })));
  part("separate").checked = settings.separate_settlements;
  part("repairs").hidden = report.repairs.length === 0;
  part("repair-rows").replaceChildren(...report.repairs.map(repairRow));
  const { fixes } = settings;
  part("fixes").hidden = fixes.length === 0;
  part("fixes-text").textContent = `${number(fixes.length)} ${fixes.length === 1 ? "correction is" : "corrections are"} made. The file itself is not changed.`;
  part("compare").textContent = `Compare ${number(report.rows)} ${report.rows === 1 ? "row" : "rows"} with your clients`;
}

/** Corrects cells, or the same values of a whole column. */
function fix(fixes) {
  settings.fixes.push(...fixes);
  return again("The file is checked again");
}

part("several-numbers-drop").addEventListener("click", () => map(report.column_of_several_numbers.header, ""));

part("unreadable").addEventListener("change", ({ target }) => {
  settings.leaves_out_unreadable = target.checked;
  return again("The file is checked again");
});

part("separate").addEventListener("change", ({ target }) => {
  settings.separate_settlements = target.checked;
  return again("The file is checked again");
});

part("fixes-undo").addEventListener("click", () => {
  settings.fixes.pop();
  return again("The file is checked again");
});

// --- Preview and sending ---

function tiles(name, { created, updated, unchanged, conflict, error }) {
  const counts = [["New clients", created], ["Changed", updated], ["As they were", unchanged], ["Refused", conflict + error]];
  part(name).replaceChildren(...counts.map(([label, count]) => element("li", {}, element("b", { textContent: number(count) }), label)));
}

part("compare").addEventListener("click", () =>
  step("The rows are compared", async () => {
    const { preview } = await ask("preview");
    tiles("preview-counts", preview.counts);
    const { settlements } = preview;
    part("settled").hidden = settlements.length === 0;
    part("settled-years").replaceChildren(...settlements.map(([year, ...counts]) =>
      element("tr", {}, element("th", { scope: "row", textContent: year }),
        ...counts.map((count) => element("td", { className: "number", textContent: number(count) })))));
    const saved = preview.rows - preview.counts.conflict - preview.counts.error;
    part("send").textContent = `Send ${number(preview.rows)} ${preview.rows === 1 ? "row" : "rows"}`;
    part("send").hidden = saved === 0;
    show("columns", "check", "preview");
    goTo("preview");
  }),
);

part("send").addEventListener("click", () => run("send", { settings, rows: total, mapping: kept(columns, settings.maps) }, false));

async function run(task, more, checksFirst) {
  show("sending");
  await step("The rows are sent", async () => {
    // A file that is gone on with is read first, as it was when it was begun.
    if (checksFirst) {
      columns = (await ask("columns", { settings })).columns;
      await ask("check", { settings });
    }
    isSending = true;
    part("pause").hidden = part("pause").disabled = false;
    part("go").hidden = true;
    goTo("sending");
    const { done } = await ask(task, more).finally(() => (isSending = false));
    if (done.isStopped) {
      show("stopped");
      return goTo("stopped");
    }
    tiles("done-counts", done.counts);
    const { conflict, error } = done.counts;
    part("refused").hidden = conflict + error === 0;
    const refused = conflict + error;
    part("refused-text").textContent =
      refused === 1
        ? "1 row was not saved. Download it: the first column says why. Correct the row in that file, and import that file."
        : `${number(refused)} rows were not saved. Download them: the first column says why. Correct them in that file, and import that file.`;
    show("done");
    goTo("done");
  });
}

/** Rows that would become something else than the comparison showed: the person decides. */
function showChanged({ of, differences: { rows, shown } }) {
  status("");
  part("changed-text").textContent =
    `Another person or program has changed clients since the comparison. Of the next ${number(of)} rows, ${number(rows)} would now become something else. None of the ${number(of)} is saved yet.`;
  part("changed-rows").replaceChildren(...shown.map(({ row, was, now, reason }) =>
    element("tr", {}, element("th", { scope: "row", textContent: number(row) }),
      element("td", { textContent: was }), element("td", { textContent: reason ? `${now}: ${reason}` : now }))));
  part("changed-more").textContent = rows > shown.length ? `${number(rows - shown.length)} more rows are not shown.` : "";
  for (const name of ["changed-go", "changed-stop"]) part(name).disabled = false;
  show("changed");
  goTo("changed");
}

for (const [name, goesOn] of [["changed-go", true], ["changed-stop", false]]) {
  part(name).addEventListener("click", () => {
    show("sending");
    goTo("sending");
    worker.postMessage({ task: "decide", goesOn });
  });
}

part("pause").addEventListener("click", () => {
  worker.postMessage({ task: "pause" });
  part("pause").hidden = true;
  part("go").hidden = part("go").disabled = false;
  part("go").focus();
});

part("go").addEventListener("click", () => {
  worker.postMessage({ task: "go-on" });
  part("go").hidden = true;
  part("pause").hidden = false;
  part("pause").focus();
});

part("refused-file").addEventListener("click", () =>
  step("The file is made", async () => {
    const { workbook } = await ask("workbook");
    const type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    const address = URL.createObjectURL(new Blob([workbook], { type }));
    const name = fileName.replace(/(\.refused)?\.[^.]*$/, "");
    element("a", { href: address, download: `${name}.refused.xlsx` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  }),
);

// --- The file ---

const input = part("file");
const drop = part("drop");

input.addEventListener("change", () => input.files[0] && choose(input.files[0], false));

for (const kind of ["dragover", "drop"]) {
  drop.addEventListener(kind, (event) => {
    event.preventDefault();
    drop.classList.toggle("over", kind === "dragover");
  });
}
drop.addEventListener("dragleave", () => drop.classList.remove("over"));
drop.addEventListener("drop", ({ dataTransfer }) => {
  const [file] = dataTransfer.files;
  if (file && !input.disabled) choose(file, true);
});

addEventListener("beforeunload", (event) => {
  if (isSending) event.preventDefault();
});

part("import").hidden = false;
