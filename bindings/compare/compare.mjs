// Measures the npm package beside others, in turns: compare.mjs DATA. Writes one JSON object.
import { readFile } from "node:fs/promises";

import * as rules from "@matterbook/rules";
import { isValid, lightFormat, parse } from "date-fns";
import { parsePhoneNumberFromString as parsePhone } from "libphonenumber-js";

const ROUNDS = 7;
const data = JSON.parse(await readFile(process.argv[2], "utf8"));

const FORMATS = ["yyyy-MM-dd", "MM/dd/yyyy", "MMMM d, yyyy", "MMM d, yyyy"];
const start = new Date(2000, 0, 1);
function dateOf(text) {
  for (const format of FORMATS) {
    const date = parse(text, format, start);
    if (isValid(date)) return lightFormat(date, "yyyy-MM-dd");
  }
  return null;
}

const contests = [
  {
    column: "phone",
    ours: ["@matterbook/rules, a column", (values) => rules.normalizeColumn("phone", values).values],
    others: [
      ["@matterbook/rules, value by value", (values) => values.map((text) => rules.normalizeValue("phone", text).value)],
      ["libphonenumber-js", (values) => values.map((text) => parsePhone(text, "US")?.number ?? null)],
    ],
  },
  {
    column: "date",
    ours: ["@matterbook/rules, a column", (values) => rules.normalizeColumn("opened_on", values).values],
    others: [
      ["@matterbook/rules, value by value", (values) => values.map((text) => rules.normalizeValue("opened_on", text).value)],
      ["date-fns", (values) => values.map(dateOf)],
    ],
  },
];

const results = [];
for (const { column, ours, others } of contests) {
  const values = data[column];
  const runs = [ours, ...others].map(([name, run]) => ({ name, run, seconds: [], found: run(values) }));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const one of runs) {
      const begin = process.cpuUsage();
      one.run(values);
      const { user, system } = process.cpuUsage(begin);
      one.seconds.push((user + system) / 1e6);
    }
  }
  for (const { name, seconds, found } of runs) {
    const same = found.filter((value, row) => value === runs[0].found[row]).length;
    const median = seconds.sort((one, other) => one - other)[ROUNDS >> 1];
    results.push({ column, name, rowsPerSecond: values.length / median, same: same / values.length });
  }
}
console.log(JSON.stringify({ runtime: `Node ${process.versions.node}`, results }));
