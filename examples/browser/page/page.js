// Shows the results of the rows in the text area. The wasm module applies all rules.

import init, { check } from "./matterbook.js";

const SAMPLE = [
  ["Client ID", "First Name", "Last Name", "Address", "State", "ZIP", "Phone #", "Notes"],
  ["1001", " Ana ", "Specimenez", "12 North Main Street", "illinois", "62704.0", "(217) 555-0134 ext. 9", "called"],
  ["", "ANA", "Specimenez", "12 N. Main St.", "", "62704-1234", "", ""],
  ["", "Bob", "Sampleton", "5 Demo Ave", "Mass.", "2134", "617-555-0142", ""],
  ["M-9", "Ana", "Specimenez", "12 N Main St", "IL", "62704", "", ""],
  ["", "Carl", "Demowitz", "", "Narnia", "123", "", ""],
];
const WORDS = { new: "new", same: "the client of row", conflict: "in conflict", error: "has an error" };

const list = document.getElementById("list");
const summary = document.getElementById("summary");
const result = document.getElementById("result");

await init();
list.addEventListener("input", show);
document.getElementById("sample").addEventListener("click", () => {
  list.value = SAMPLE.map((cells) => cells.join("\t")).join("\n");
  show();
});
show();

function show() {
  result.replaceChildren();
  result.hidden = true;
  if (list.value.trim() === "") {
    summary.textContent = "";
    return;
  }
  const report = JSON.parse(check(list.value));
  if (report.problem) {
    summary.textContent = report.problem;
    return;
  }
  summary.textContent = summarize(report.rows);
  result.append(tableOf(report));
  result.hidden = false;
}

function summarize(rows) {
  const count = (status) => rows.filter((row) => row.status === status).length;
  const repaired = rows.flatMap((row) => row.cells).filter((cell) => cell.to !== undefined).length;
  return (
    `${counted(rows.length, "row")}: ${counted(count("new"), "client")}, ${count("same")} of them again, ` +
    `${count("conflict")} in conflict, ${count("error")} with errors. ` +
    `${counted(repaired, "value")} ${repaired === 1 ? "is" : "are"} repaired.`
  );
}

function counted(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function tableOf({ columns, rows }) {
  const head = element("tr", element("th", "Row"), element("th", "Result"));
  for (const { name, field } of columns) {
    head.append(element("th", name, element("small", field ?? "not read")));
  }
  const body = rows.map((row, index) => {
    const outcome = element("td", `${WORDS[row.status]}${row.same_as ? ` ${row.same_as}` : ""}`);
    if (row.message) outcome.append(element("small", row.message));
    const line = element("tr", element("th", String(index + 1)), outcome, ...row.cells.map(cellOf));
    line.className = row.status;
    return line;
  });
  head.querySelectorAll("th").forEach((cell) => (cell.scope = "col"));
  body.forEach((line) => (line.firstChild.scope = "row"));
  return element("table", element("thead", head), element("tbody", ...body));
}

function cellOf({ from, to, problem }) {
  if (problem !== undefined) return marked("problem", from, problem);
  if (to !== undefined) return marked("repaired", from, `→\u00a0${to}`);
  return element("td", from);
}

function marked(kind, from, remark) {
  const cell = element("td", from, element("small", remark));
  cell.className = kind;
  return cell;
}

// Pasted text is inserted as text nodes, so it is never parsed as HTML.
function element(name, ...children) {
  const made = document.createElement(name);
  made.append(...children);
  return made;
}
