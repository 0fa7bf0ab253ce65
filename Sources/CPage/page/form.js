// A form's fields. The daemon validates them while the person types, with the same messages as in the terminal.

import * as api from "./api.js";
import { choiceList, manyChoices } from "./choices.js";
import { element, foreign, newID } from "./elements.js";

export class Form {
  root;
  /** The reason for a missing answer. */
  trouble = "";

  #id;
  #fields;
  #turn = 0;
  #timer;
  #isStopped = false;

  /**
   * @param id the presentation's id
   * @param fields the fields of the API's `prompt` response
   * @param typed the initial input by field name (default: the fields' own defaults)
   */
  constructor(id, fields, typed) {
    this.#id = id;
    this.#fields = fields.map((field) => new Field(field, typed?.[field.name] ?? field.start, () => this.#changed()));
    this.root = element("div", { class: "fields" }, this.#fields.map((field) => field.root));
  }

  get first() {
    return this.#fields[0]?.input;
  }

  get firstWrong() {
    return this.#fields.find((field) => field.isWrong)?.input;
  }

  get isChanged() {
    return this.#fields.some((field) => field.isTouched);
  }

  /** The fields' input, by name. */
  get texts() {
    return Object.fromEntries(this.#fields.map((field) => [field.name, field.text]));
  }

  /** Cancels the pending check, because the answer is being sent. */
  hold() {
    clearTimeout(this.#timer);
  }

  /** Stops all further checks. */
  stop() {
    this.hold();
    this.#isStopped = true;
  }

  /** Returns the answer as JSON; `undefined` if a field is invalid, which that field then shows. */
  async answer() {
    clearTimeout(this.#timer);
    for (const field of this.#fields) field.isTouched = true;
    return this.#check();
  }

  #changed() {
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => this.#check(), 80);
  }

  async #check() {
    this.#turn += 1;
    const turn = this.#turn;
    let result;
    try {
      result = await api.check(this.#id, this.texts);
    } catch (problem) {
      this.trouble = problem.message;
      return undefined;
    }
    // A newer check is under way.
    if (turn !== this.#turn) return undefined;
    for (const field of this.#fields) field.tell(result.problems[field.name]);
    const wrong = Object.keys(result.problems).length;
    this.trouble = wrong === 1 ? "One field is invalid." : `${wrong} fields are invalid.`;
    return result.answer ?? undefined;
  }
}

class Field {
  name;
  root;
  input;
  isTouched = false;
  isWrong = false;

  #field;
  #problem;

  constructor(field, start, changed) {
    this.#field = field;
    this.name = field.name;
    const id = newID("field");
    const hints = [field.description && newID("about"), field.hint && newID("hint")];
    this.#problem = foreign("p", "", { class: "problem", id: newID("problem") });
    const described = [...hints, this.#problem.id].filter(Boolean).join(" ");
    const touch = () => {
      this.isTouched = true;
      changed();
    };
    this.input = control(field, start, { id, "aria-describedby": described, "aria-required": field.isRequired ? "true" : undefined });
    this.input.addEventListener("input", touch);
    // Leaving a changed field counts as filling it in, even if it is empty.
    this.input.addEventListener("blur", () => {
      if (this.input.value !== start) touch();
    });
    const isGroup = !["INPUT", "SELECT"].includes(this.input.tagName);
    const label = element(isGroup ? "span" : "label", { for: isGroup ? undefined : id, id: `${id}-label`, class: "label" }, foreign("span", field.label),
      field.isRequired ? element("span", { class: "faint", "aria-hidden": "true" }, " required") : null);
    this.root = element("div", { class: "field" },
      label,
      field.description && foreign("p", field.description, { class: "faint", id: hints[0] }),
      this.input.filter, this.input,
      field.hint && foreign("p", field.hint, { class: "hint faint", id: hints[1] }),
      this.#problem);
  }

  get text() {
    return this.input.value;
  }

  /** Shows the field's problem, once the person has visited the field. */
  tell(problem) {
    this.isWrong = Boolean(problem);
    const shown = this.isTouched ? problem : undefined;
    this.#problem.replaceChildren(shown ? `${this.#field.label} ${problem}` : "");
    if (shown) this.input.setAttribute("aria-invalid", "true");
    else this.input.removeAttribute("aria-invalid");
  }
}

/** Creates the control of a field. Its `value` is the input as text. */
function control(field, start, properties) {
  switch (field.control) {
    case "choice":
      return picker(field, field.choices, start, properties,
        Object.fromEntries(field.choices.map((choice, index) => [choice, field.choiceLabels[index]])));
    case "multipleChoice": return checklist(field, start, properties);
    case "toggle": return picker(field, ["true", "false"], start, properties, { "": "No answer", true: "Yes", false: "No" });
    case "secret":
      return withValue(element("input", { ...properties, type: "password", autocomplete: "off", spellcheck: "false" }), start);
    case "number":
      return withValue(element("input", { ...properties, type: "text", inputmode: "decimal", autocomplete: "off" }), start);
    default:
      return withValue(element("input", { ...properties, type: "text", dir: "auto", autocomplete: "off" }), start);
  }
}

function withValue(input, value) {
  input.value = value;
  return input;
}

/** The length of the longest label that a drop-down list on a phone shows whole. */
const longLabel = 30;

/** Creates a drop-down list, or a list of rows if it or a label is long. */
function picker(field, choices, start, properties, labels) {
  if (choices.length > manyChoices || choices.some((choice) => labels[choice].length > longLabel)) {
    // Only an optional field can be cleared.
    const values = field.isRequired ? choices : ["", ...choices];
    const list = choiceList({
      label: field.label, labels: values.map((choice) => labels[choice] ?? "None"), chosen: [values.indexOf(start)].filter((index) => index >= 0),
      isMultiple: false, properties: { ...properties, "aria-labelledby": `${properties.id}-label` } });
    return withText(list, (chosen) => values[chosen[0]] ?? "");
  }
  const select = element("select", properties,
    field.isRequired && start !== "" ? null : element("option", { value: "" }, field.isRequired ? "Choose…" : (labels[""] ?? "None")),
    choices.map((choice) => element("option", { value: choice, dir: "auto" }, labels[choice])));
  select.value = start;
  return select;
}

/** Creates a check box for each choice. */
function checklist(field, start, properties) {
  const chosen = new Set(start === "" ? [] : JSON.parse(start));
  const list = choiceList({
    label: field.label, labels: field.choiceLabels, chosen: [...field.choices.keys()].filter((index) => chosen.has(field.choices[index])),
    isMultiple: true, properties: { ...properties, "aria-required": undefined, "aria-labelledby": `${properties.id}-label` } });
  return withText(list, (indexes) => (indexes.length === 0 ? "" : JSON.stringify(indexes.map((index) => field.choices[index]))));
}

function withText(list, text) {
  Object.defineProperty(list, "value", { get: () => text(list.chosen) });
  return list;
}
