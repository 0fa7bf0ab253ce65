// "Snooze": takes a prompt off the screen for a while, or lets all prompts of its session wait.

import { element } from "./elements.js";

/** The seconds until the next time that clocks show 9; tomorrow if less than a minute is left. */
function untilMorning() {
  const date = new Date();
  date.setHours(9, 0, 0, 0);
  if (date.getTime() - Date.now() < 60_000) date.setDate(date.getDate() + 1);
  // A day on which clocks go back has 25 hours.
  return Math.min(86_400, (date.getTime() - Date.now()) / 1000);
}

const times = [["15 min", () => 900], ["1 h", () => 3600], ["until 09:00", untilMorning]];

export class Later {
  /** `null` if the prompt expires before any of the times. */
  root = null;
  #select;
  #all = element("input", { type: "checkbox", name: "session" });

  /**
   * @param timeLeft the seconds until the prompt expires; `null` if it does not
   * @param onPick called with the seconds, their label, and whether all prompts of the session shall wait
   */
  constructor(timeLeft, onPick) {
    const offered = times.filter(([, seconds]) => timeLeft === null || seconds() < timeLeft);
    if (offered.length === 0) return;
    this.#select = element("select", { name: "later", "aria-label": "Show it again in" }, offered.map(([label]) => element("option", {}, label)));
    const pick = () => {
      const [label, seconds] = offered[this.#select.selectedIndex];
      onPick(Math.round(seconds()), label, this.#all.checked);
    };
    this.root = element("div", { class: "later" }, element("button", { type: "button", class: "plain", onclick: pick }, "Snooze"), this.#select,
      element("label", {}, this.#all, " all of this session"));
  }

  /** Whether an element is the list of times or the checkbox, in which keys press nothing. */
  contains(node) {
    return node !== null && (node === this.#select || node === this.#all);
  }
}
