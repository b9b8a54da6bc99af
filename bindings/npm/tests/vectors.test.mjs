import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import * as rules from "@matterbook/rules";
import { check } from "./vectors.mjs";

const DATA = process.env.MATTERBOOK_VECTORS;

for (const name of ["vectors.json", "more_vectors.json"]) {
  test(`every case of ${name} has the expected result`, async () => {
    const file = JSON.parse(await readFile(`${DATA}/${name}`, "utf8"));
    assert.deepEqual(check(rules, file), { failures: [], passed: file.counts.total });
  });
}
