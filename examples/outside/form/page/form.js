// Checks each field when the user leaves it, and all of them on submit. The wasm module has the rules.

import init, { check } from "./rules.js";

await init();
const form = document.querySelector("form");
const status = form.querySelector("[role=status]");
form.addEventListener("focusout", (event) => {
  if (event.target.matches("input")) show(event.target);
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const inputs = [...form.querySelectorAll("input")];
  const wrong = inputs.filter((input) => !show(input));
  status.textContent = wrong.length === 0 ? "All fields can be saved." : `${wrong.length} to fix.`;
  wrong[0]?.focus();
});

/** Puts the stored form of a field's value in its place, or a problem below it. */
function show(input) {
  const { kept, problem } = check(input.name, input.value);
  if (problem === undefined) input.value = kept ?? "";
  const id = `${input.id}-problem`;
  document.getElementById(id)?.remove();
  input.setAttribute("aria-invalid", String(problem !== undefined));
  input.removeAttribute("aria-describedby");
  if (problem !== undefined) {
    const remark = document.createElement("p");
    remark.id = id;
    remark.className = "problem";
    // As text: nothing that is typed is parsed as HTML.
    remark.textContent = `It ${problem}.`;
    input.after(remark);
    input.setAttribute("aria-describedby", id);
  }
  return problem === undefined;
}
