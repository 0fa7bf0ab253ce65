// The buttons of a prompt: in a row, or a list with a find box if they are many.

import { choiceList, manyChoices } from "./choices.js";
import { element, foreign } from "./elements.js";
import { Remember } from "./remember.js";

const signs = { Enter: "↵", Escape: "esc" };
const unseen = " without seeing all of it";
/** The most bytes of a comment that the daemon takes. */
const mostBytes = 4096;

export class Buttons {
  /** The list to show above the row; `undefined` for a few buttons. */
  list;
  /** The buttons, which stay on the screen. */
  row;
  /** What can be said with them. */
  more;
  /** How the answer is remembered, if the prompt offers it. */
  remember;
  /** Where the person may say why; not for a sensitive request, or one without an answer. */
  why;

  #prompt;
  #listed = [];
  #labels = [];
  /** The button that Enter presses, with its sign. */
  #enter;

  /**
   * @param prompt the `prompt` of the API's response
   * @param request the request
   * @param on callbacks: `press` with a button, and `dismiss`
   */
  constructor(prompt, request, on) {
    this.#prompt = prompt;
    const { buttons } = prompt;
    if (buttons.length > manyChoices) {
      this.#listed = buttons.filter((button) => button.role !== "cancel");
      const chosen = this.#listed.findIndex((button) => button.isDefault);
      this.list = choiceList({
        label: prompt.heading, labels: this.#listed.map((button) => button.label), chosen: chosen < 0 ? [] : [chosen], isMultiple: false,
        properties: { "aria-label": "Choices" } });
    }
    if (prompt.remember) this.remember = new Remember(prompt.remember, buttons);
    const isOnlyClosed = prompt.closing.action === "close";
    if (!request.sensitive && !isOnlyClosed) {
      this.why = element("input", { type: "text", class: "why", placeholder: "Say why (optional)", "aria-label": "Say why", dir: "auto", autocomplete: "off" });
    }
    const submit = isOnlyClosed ? prompt.closing.label : this.list ? "Choose" : prompt.submitLabel;
    this.row = [
      element("div", { class: "buttons" },
        submit && this.#markEnter(element("button", { type: "submit" }, this.#label(submit))),
        buttons.filter((button) => !this.#listed.includes(button)).map((button) => this.#draw(button, () => on.press(button))),
        isOnlyClosed ? null : this.#closing(on.dismiss)),
    ];
    this.more = [this.remember?.root, this.why];
  }

  /** Whether an element is one of those beside the buttons, in which keys press nothing. */
  isBeside(node) {
    return node === this.why || this.remember?.root.contains(node);
  }

  get comment() {
    return this.why?.value.trim() || undefined;
  }

  get isCommentTooLong() {
    return new TextEncoder().encode(this.comment ?? "").length > mostBytes;
  }

  /** Returns the button for a key. A list has no digits: they find a choice. */
  forKey(key) {
    if (key === "Escape") return this.#prompt.buttons.find((button) => button.role === "cancel");
    if (this.list) return key === "Enter" ? this.#listed[this.list.chosen[0]] : undefined;
    return this.#prompt.buttons.find((button) => (key === "Enter" ? button.isDefault : button.key === key));
  }

  /** Says on every button but the cancel button whether all of the text has been seen. Until then, none is the default. */
  showSeen(isSeen) {
    this.remember?.showSeen(isSeen);
    this.#enter?.button.classList.toggle("default", isSeen);
    if (this.#enter) this.#enter.sign.hidden = !isSeen;
    for (const [node, label] of this.#labels) {
      node.replaceChildren(...foreign("span", isSeen || label.endsWith(unseen) ? label : label + unseen).childNodes);
    }
  }

  #draw({ label, role, key, isDefault }, onclick) {
    const keys = [!this.list && key, role === "cancel" && "Escape"].filter(Boolean);
    const isEnter = !this.list && isDefault;
    const button = element("button", {
      class: role ?? "", type: "button", onclick, "aria-keyshortcuts": [...keys, isEnter && "Enter"].filter(Boolean).join(" "),
    }, role === "cancel" ? foreign("span", label) : this.#label(label), keys.map(sign));
    return isEnter ? this.#markEnter(button) : button;
  }

  /** Marks the button that Enter presses once all of the text has been seen. */
  #markEnter(button) {
    button.classList.add("default");
    this.#enter = { button, sign: sign("Enter") };
    button.append(this.#enter.sign);
    return button;
  }

  #closing(onclick) {
    if (this.#prompt.isDismissDisabled) return null;
    // If there is a cancel button, Escape presses it.
    return element("button", { class: "plain", type: "button", onclick },
      this.#prompt.closing.label, this.forKey("Escape") ? null : sign("Escape"));
  }

  #label(label) {
    const text = foreign("span", label);
    this.#labels.push([text, label]);
    return text;
  }
}

function sign(key) {
  return element("kbd", { "aria-hidden": "true" }, signs[key] ?? key);
}
