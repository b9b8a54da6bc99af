// The columns of a file: what each is used as, joined columns, and what the firm used before.

/** A number as people read it. */
export const number = (count) => Number(count).toLocaleString("en-US");

/** An element with properties and children. Text is text, whatever a file holds. */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in made && name !== "list") made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

/** Between the headers of joined columns, as `matterbook push --map` has it. */
const JOIN = " + ";

const headersOf = ({ columns }) => columns.map(({ header }) => header);

/** The headers of a mapping: several where columns are joined. */
const partsOf = (header, headers) => (headers.includes(header) ? [header] : header.split(JOIN));

/** The mapping that joins a column with others. */
const joinOf = (maps, header, headers) =>
  maps.find((map) => {
    const parts = partsOf(map.header, headers);
    return parts.length > 1 && parts.includes(header);
  });

/** The fields behind whose columns this column can be joined: `[field, header]`. */
function joinable(columns, maps, header) {
  const headers = headersOf(columns);
  const own = joinOf(maps, header, headers);
  const behind = [];
  for (const [field, , canBeJoined] of columns.choices) {
    const join = maps.find((map) => map.field === field && partsOf(map.header, headers).length > 1);
    const parts = join ? partsOf(join.header, headers) : columns.columns.filter((column) => column.field === field).map((column) => column.header).slice(0, 1);
    const before = own && own === join ? parts.slice(0, parts.indexOf(header)) : parts;
    if (canBeJoined && before.length > 0 && !before.includes(header)) behind.push([field, before.at(-1)]);
  }
  return behind;
}

/** A row of the table of columns. `choose` gets the header and the choice: a field, `+field` to be joined, or nothing. */
export function columnRow(columns, maps, place, choose) {
  const { header, field, note, examples, is_used } = columns.columns[place];
  const behind = new Map(joinable(columns, maps, header));
  const join = joinOf(maps, header, headersOf(columns));
  const isBehind = join !== undefined && partsOf(join.header, headersOf(columns))[0] !== header;
  const select = element("select", { id: `column-${place}` });
  select.append(element("option", { value: "", textContent: "not used" }));
  for (const [value, label] of columns.choices) {
    select.append(element("option", { value, textContent: label, selected: value === field && !isBehind }));
    if (behind.has(value)) {
      const textContent = `${label}, behind “${behind.get(value)}”`;
      select.append(element("option", { value: `+${value}`, textContent, selected: value === field && isBehind }));
    }
  }
  select.setAttribute("aria-label", `What is the column ${header}?`);
  select.addEventListener("change", () => choose(header, select.value));
  return element(
    "tr",
    { className: is_used ? "" : "quiet" },
    element("th", { scope: "row", textContent: header }),
    element("td", { className: "wide", textContent: examples.join(" · ") }),
    element("td", {}, select),
    element("td", { className: "wide", textContent: note }),
  );
}

/** The mappings after a choice for one column. Another column that was chosen for the same field gives way, unless both
 * can serve or are joined. */
export function mapped(columns, maps, header, choice) {
  const headers = headersOf(columns);
  const left = joinOf(maps, header, headers);
  let others = maps.filter((map) => map !== left && map.header !== header);
  if (left) {
    // The other columns of the join stay.
    const rest = partsOf(left.header, headers).filter((part) => part !== header);
    others.push({ header: rest.join(JOIN), field: left.field });
  }
  if (choice.startsWith("+")) {
    const field = choice.slice(1);
    const join = others.find((map) => map.field === field && partsOf(map.header, headers).length > 1);
    const first = join?.header ?? columns.columns.find((column) => column.field === field && column.header !== header)?.header;
    others = others.filter((map) => map.field !== field && map.header !== first);
    return [...others, { header: [first, header].join(JOIN), field }];
  }
  const gives = ({ field }) => field !== choice || choice === "" || ["phone", "email"].includes(choice);
  return [...others.filter(gives), { header, field: choice }];
}

/** The use of each column, for the next file of the firm. */
export function kept(columns, maps) {
  const headers = headersOf(columns);
  const { columns: all } = columns;
  const shown = all.length > 200 ? all.filter(({ is_used }) => is_used) : all;
  const single = shown.filter(({ header }) => !joinOf(maps, header, headers)).map(({ header, field }) => [header, field ?? ""]);
  const joins = maps.filter(({ header }) => partsOf(header, headers).length > 1).map(({ header, field }) => [header, field]);
  return Object.fromEntries([...single, ...joins]);
}

/** The firm's own mapping for such a file: that of the import with the most of its columns, at least half. */
export function recalled(remembered, columns) {
  const headers = headersOf(columns);
  const isHere = (header) => partsOf(header, headers).every((part) => headers.includes(part));
  const shared = ({ columns: known }) =>
    known.filter(isHere).reduce((sum, header) => sum + partsOf(header, headers).length, 0);
  const best = remembered.toSorted((one, other) => shared(other) - shared(one))[0];
  if (!best || shared(best) * 2 < headers.length) return [];
  return Object.entries(best.mapping).filter(([header]) => isHere(header)).map(([header, field]) => ({ header, field }));
}
