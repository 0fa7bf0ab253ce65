// A list of choices to click, with a find box if it is long.

import { element, foreign, newID } from "./elements.js";

/** The length of the longest list that is shown without a find box. The terminal uses the same number. */
export const manyChoices = 9;

/** The number of chosen but hidden choices to name. */
const named = 5;

/**
 * Creates a list with a radio button, or a check box, for each choice.
 *
 * Its `chosen` are the indexes of the chosen ones, in order. A long list has a `filter` to show above it: a find box, whose arrow keys
 * choose, and a line that counts.
 *
 * @param label the list's name
 * @param labels the choices' texts
 * @param chosen the indexes chosen at first
 * @param isMultiple whether several can be chosen
 * @param properties the list's further attributes
 */
export function choiceList({ label, labels, chosen, isMultiple, properties }) {
  const isLong = labels.length > manyChoices;
  const name = isMultiple ? undefined : newID("choice");
  const inputs = labels.map(() => element("input", { type: isMultiple ? "checkbox" : "radio", name }));
  for (const index of chosen) inputs[index].checked = true;
  const rows = labels.map((text, index) => element("label", {}, inputs[index], foreign("span", text)));
  const list = element("div", {
    role: isMultiple ? "group" : "radiogroup", ...properties, class: isLong ? "checks long" : "checks", onchange: () => tell(),
    onkeydown: (event) => {
      if (move(event)) return;
      // Typing on a row finds; a space chooses.
      if (search && event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey) search.focus();
    },
  }, rows);
  const status = element("p", { class: "count faint", role: "status" });
  const lower = labels.map((text) => text.toLowerCase());
  const search = isLong && element("input", {
    type: "search", placeholder: "Type to find", "aria-label": `Find a choice of ${label}`, autocomplete: "off", spellcheck: "false",
    oninput: find, onkeydown: move,
  });

  const visible = () => rows.flatMap((row, index) => (row.hidden ? [] : [index]));
  const all = () => inputs.flatMap((input, index) => (input.checked ? [index] : []));

  function find() {
    const words = search.value.toLowerCase();
    rows.forEach((row, index) => {
      row.hidden = !lower[index].includes(words);
    });
    if (!isMultiple && words !== "" && !visible().some((index) => inputs[index].checked)) check(visible()[0]);
    tell();
  }

  /** Chooses the next or previous radio button, or goes to the check box. Returns whether the key was an arrow. */
  function move(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return false;
    event.preventDefault();
    const shown = visible();
    const isInList = event.target !== search;
    const place = shown.findIndex((index) => (isMultiple ? inputs[index] === event.target : inputs[index].checked));
    const next = shown[Math.min(Math.max(place < 0 ? (step > 0 ? 0 : shown.length - 1) : place + step, 0), shown.length - 1)];
    if (next === undefined) return true;
    if (isMultiple || isInList) inputs[next].focus();
    if (!isMultiple) check(next);
    return true;
  }

  function check(index) {
    for (const input of inputs) input.checked = false;
    if (index === undefined) return;
    inputs[index].checked = true;
    rows[index].scrollIntoView({ block: "nearest" });
    inputs[index].dispatchEvent(new Event("input", { bubbles: true }));
    tell();
  }

  function tell() {
    const [shown, chosenNow] = [visible(), all()];
    const isFiltered = shown.length < rows.length;
    const hidden = chosenNow.filter((index) => rows[index].hidden);
    const place = isMultiple || chosenNow.length === 0 ? -1 : shown.indexOf(chosenNow[0]);
    const found = isFiltered ? " found" : "";
    const counted = [
      isMultiple && `${chosenNow.length} of ${rows.length} chosen`, place >= 0 && `${place + 1} of ${shown.length}${found}`,
      place < 0 && isFiltered && `${shown.length} found`, !isMultiple && (isFiltered || place < 0) && `${rows.length} choices`,
    ].filter(Boolean).join(" · ");
    status.replaceChildren(counted, hidden.length === 0 ? "" : element("span", {}, " · also chosen: ",
      foreign("b", hidden.slice(0, named).map((index) => labels[index]).join(", ") + (hidden.length > named ? ` and ${hidden.length - named} more` : ""))));
  }

  tell();
  Object.defineProperty(list, "chosen", { get: all });
  list.focus = (options) => {
    const target = search || inputs.find((input) => input.checked) || inputs[0];
    target.focus(options);
  };
  if (isLong) list.filter = [search, status];
  return list;
}
