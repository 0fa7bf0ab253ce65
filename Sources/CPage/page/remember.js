// How an answer is remembered: not at all, or for a time and for some acts, of those that the prompt offers.

import { element, foreign, visible } from "./elements.js";

export class Remember {
  root;

  #offered;
  #period;
  #width;
  #unseen = element("p", { hidden: true }, "Scroll to its end first: only what was seen whole is remembered.");
  #covers = element("p", { hidden: true, role: "status", tabindex: "0" });

  /**
   * @param offered the prompt's `remember`
   * @param buttons the prompt's buttons
   */
  constructor(offered, buttons) {
    this.#offered = offered;
    this.#period = select("for", "Remember the answer", [`only this once${offered.habit ? ` (${offered.habit})` : ""}`, ...offered.for.map(({ label }) => label)]);
    this.#width = select("match", "Remember it for", offered.match.map(({ label }) => label));
    const width = element("label", { hidden: true }, "for:", this.#width);
    const others = buttons.filter(({ id }) => !offered.buttons.includes(id)).map(({ label }) => label);
    const excluded = others.length > 0 && foreign("p", `Not remembered: ${others.join(", ")}`, { hidden: true });
    this.root = element("div", {
      class: "remember",
      onchange: () => {
        width.hidden = !this.isChosen;
        if (excluded) excluded.hidden = !this.isChosen;
        this.#showCoverage();
      },
    }, element("label", {}, "Remember:", this.#period), width, this.#unseen, this.#covers, excluded);
  }

  get isChosen() {
    return this.#period.selectedIndex > 0;
  }

  /** Allows a choice once all of the text has been seen. */
  showSeen(isSeen) {
    this.#period.disabled = !isSeen;
    this.#unseen.hidden = isSeen;
  }

  /** Returns what to send with an answer; `undefined` if the button's answer is not remembered. */
  choice(button) {
    const period = this.#periodFor(button);
    if (!period) return undefined;
    const { match, count } = this.#offered.match[this.#width.selectedIndex];
    return { match, count, for: period.for };
  }

  /** Returns words to add to those for the press of a button; empty if its answer is not remembered. */
  words(button) {
    const period = this.#periodFor(button);
    return period ? `, remembered: ${period.label}` : "";
  }

  #periodFor(button) {
    return this.#offered.buttons.includes(button.id) ? this.#offered.for[this.#period.selectedIndex - 1] : undefined;
  }

  /** Shows what a wide choice covers, because a select may cut it. */
  #showCoverage() {
    const { match, label, always } = this.#offered.match[this.#width.selectedIndex];
    const isAlways = this.#offered.for[this.#period.selectedIndex - 1]?.for === "always";
    this.#covers.hidden = !this.isChosen || (match === "exact" && !isAlways);
    this.#covers.replaceChildren(...(isAlways ? [foreign("span", always)] : ["Covers: ", foreign("span", label)]));
  }
}

function select(name, label, options) {
  return element("select", { name, "aria-label": label }, options.map((option) => element("option", { dir: "auto" }, visible(option))));
}
