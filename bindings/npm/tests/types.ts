// What the types promise. It is compiled, not run.
import { FIELDS, matchKey, normalizeColumn, normalizeRecord, normalizeValue, samePerson } from "@matterbook/rules";
import type { Field, Problem, Result, Value } from "@matterbook/rules";

const zip: Result<string> = normalizeValue("zip", 2134);
if (zip.problem) {
  const message: string = zip.problem.message;
  // @ts-expect-error a refused value has no value
  message satisfies typeof zip.value;
} else {
  const value: string | null = zip.value;
  // @ts-expect-error a blank value is null
  value satisfies string;
}

const flag: boolean | null | undefined = normalizeValue("do_not_mail", "yes").value;
// @ts-expect-error do_not_mail is stored as a boolean
const text: string | null | undefined = normalizeValue("do_not_mail", "yes").value;
// @ts-expect-error there is no such field
normalizeValue("ZIP", "60614");

const phones: (string | null)[] = normalizeColumn("phone", new Set(["617-555-0142"])).values;
const { values, problems, ignored } = normalizeRecord({ first_name: "Ana", source: "web" });
const name: string | undefined = values.first_name;
const doNotMail: boolean | undefined = values.do_not_mail;
const problem: Problem | undefined = problems.zip;
const isKnown: boolean = problem?.kind === "zip_format";
const same: boolean = samePerson({ zip: 1n }, values);
const zip5: string | null = matchKey(values).zip5;
const first: "external_id" = FIELDS[0];
const stored: { [F in Field]?: Value<F> } = values;

export { doNotMail, first, flag, ignored, isKnown, name, phones, same, stored, text, zip5 };
