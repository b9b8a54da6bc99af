// Holds the package to the shared vectors. It runs in Node and in a browser.

/** The fields that a rule of the vectors is tried with. */
const FIELDS_OF_RULE = {
  boolean: ["do_not_mail"],
  date: ["opened_on", "settled_on"],
  email: ["email"],
  external_id: ["external_id"],
  phone: ["phone"],
  state: ["state"],
  zip: ["zip"],
};

// Some kinds are more exact than the words of the vectors (rules/tests/vectors.rs).
const EXACT = new Set(["control_character", "invalid_unicode", "two_numbers"]);

/**
 * The cases of a file that have another result, and the number of those that have the expected one.
 *
 * @param {import("../js/index.d.ts")} rules the package
 * @param {any} file a file of vectors
 */
export function check(rules, file) {
  const found = { failures: [], passed: 0 };
  const columns = new Map();
  for (const vector of file.vectors) {
    if (vector.rule === "match") {
      for (const [one, other] of [[vector.a, vector.b], [vector.b, vector.a]]) {
        if (rules.samePerson(one, other) !== vector.expect.equal) found.failures.push(vector.id);
      }
    } else {
      const value = valueOf(vector);
      for (const field of vector.field ? [vector.field] : FIELDS_OF_RULE[vector.rule]) {
        const isBlank = vector.expect.missing === true;
        const result = rules.normalizeValue(field, value);
        if (!isExpected(result, vector.expect)) found.failures.push(`${vector.id}: ${JSON.stringify(result)}`);
        const { values, problems } = rules.normalizeRecord({ [field]: value });
        const inRecord = problems[field] ? { problem: problems[field] } : { value: values[field] ?? null };
        if (!isExpected(inRecord, vector.expect)) found.failures.push(`${vector.id} in a record`);
        if (isBlank && field in values) found.failures.push(`${vector.id} is not blank in a record`);
        const column = columns.get(field) ?? { vectors: [], values: [] };
        columns.set(field, column);
        column.vectors.push(vector);
        column.values.push(value);
      }
    }
    found.passed += 1;
  }
  for (const [field, { vectors, values }] of columns) {
    const column = rules.normalizeColumn(field, values);
    const problems = new Map(column.problems.map(({ row, kind, message }) => [row, { kind, message }]));
    vectors.forEach((vector, row) => {
      const problem = problems.get(row);
      const result = problem ? { problem } : { value: column.values[row] };
      if (!isExpected(result, vector.expect)) found.failures.push(`${vector.id} in a column`);
      if (problem && column.values[row] !== null) found.failures.push(`${vector.id} is refused, and has a value`);
    });
    if (column.values.length !== values.length) found.failures.push(`the column ${field} has another length`);
  }
  return found;
}

/** The input of a case. A whole number of `input_raw` is a bigint, which keeps its digits. */
function valueOf(vector) {
  if (vector.input_raw === undefined) return vector.input;
  return /^-?\d+$/.test(vector.input_raw) ? BigInt(vector.input_raw) : JSON.parse(vector.input_raw);
}

function isExpected({ value, problem }, expect) {
  if (expect.error === undefined) return problem === undefined && value === (expect.missing ? null : expect.ok);
  if (problem === undefined) return false;
  return (problem.kind === expect.error || EXACT.has(problem.kind)) && problem.message.length > 0;
}
