// What the check found: a kind of problem, with the cells of its first rows to be corrected, and a kind of repair.

import { element, number } from "./{columns}";

const SHOWN_CELLS = 10;

/** `place` is that in the list. `fix` takes the corrections. */
export function problemCard({ sentence, row, rows, header, cells, status }, place, fix) {
  const where = rows === 1 ? `Row ${number(row)}` : `${number(rows)} rows, the first is row ${number(row)}`;
  const made = element("div", { className: "problem" }, element("p", {}, element("b", { textContent: `${where}: ` }), sentence));
  if (cells.length === 0 || status === "incomplete") return made;

  const inputs = cells.slice(0, SHOWN_CELLS).map(([row, column, value], cell) => {
    const id = `fix-${place}-${cell}`;
    const to = element("input", { id, value, autocomplete: "off" });
    to.setAttribute("aria-label", `${header} in row ${row}`);
    return { row, column, value, to };
  });
  const everywhere = element("input", { type: "checkbox", id: `everywhere-${place}` });
  const form = element(
    "form",
    { className: "fix" },
    element("div", { className: "cells" }, ...inputs.map(({ row, to }) => element("label", {}, `Row ${number(row)}`, to))),
    element("label", { className: "check" }, everywhere, `Change the same values in the whole column “${header}”`),
    element("div", { className: "pager" },
      element("button", { textContent: "Correct" }),
      element("button", { type: "button", className: "link", textContent: "Empty all of these cells", onclick: () => fix(emptied(cells)) })),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const changed = inputs.filter(({ value, to }) => to.value !== value);
    if (changed.length === 0) return;
    fix(changed.map(({ row, column, value, to }) =>
      everywhere.checked ? { column: { column, from: value, to: to.value } } : { cell: { row, column, to: to.value } }));
  });
  made.append(element("details", { className: "ask" }, element("summary", { textContent: "Correct…" }), form));
  return made;
}

/** The corrections that empty cells, one for each value of a column. */
function emptied(cells) {
  const values = new Map(cells.map(([, column, value]) => [`${column} ${value}`, { column: { column, from: value, to: "" } }]));
  return [...values.values()];
}

/** The row of a field whose values are stored in another form. */
export function repairRow({ field, row, change, more }) {
  return element(
    "tr",
    {},
    element("th", { scope: "row", textContent: field }),
    element("td", { textContent: change ? `${change}${more > 0 ? `, and ${number(more)} more like it` : ""}` : `${number(more)} more` }),
    element("td", { className: "number", textContent: row ? number(row) : "" }),
  );
}
