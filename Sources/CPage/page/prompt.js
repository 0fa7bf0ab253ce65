// The card of one presentation.

import * as api from "./api.js";
import { element, foreign, newID } from "./elements.js";
import { Form } from "./form.js";
import { drawBlocks } from "./text.js";
import { between, whole } from "./times.js";

/** How long a new prompt ignores keys and clicks, which may have been meant for what was shown before. */
const arming = 250;

/** What Escape does, by the prompt's closing action. */
const closings = { dismiss: "dismiss", back: "go back", leave: "leave" };

export class PromptCard {
  id;
  generation;
  heading;
  isSending = false;
  root;

  #prompt;
  #on;
  #form;
  #isArmed = false;
  #timer;
  #error = element("p", { class: "error", role: "alert" });
  #clock = element("p", { class: "clock faint" });
  #presentation;
  #end;
  #isSure = false;
  #toggle;
  #progress = element("div", { class: "progress", hidden: true });
  #listeners = new AbortController();

  /**
   * @param presentation the presentation from the stream
   * @param description the API's `prompt` response
   * @param typed the earlier input, for a flow's form that is shown again
   * @param on callbacks: `done` with a description of the answer; `refused` with the problem
   */
  constructor(presentation, description, typed, on) {
    const prompt = description.prompt;
    this.id = presentation.id;
    this.generation = presentation.generation;
    this.heading = prompt.heading;
    this.#prompt = prompt;
    this.#presentation = presentation;
    this.#on = on;
    this.#end = description.timeLeft === null ? undefined : performance.now() + 1000 * description.timeLeft;
    if (prompt.fields.length > 0) this.#form = new Form(this.id, prompt.fields, typed);
    this.root = this.#draw(prompt);
    this.tick();
    this.arm();
    const { signal } = this.#listeners;
    document.addEventListener("keydown", (event) => this.#key(event), { signal });
    // A person who returns to the window has not read the prompt yet.
    window.addEventListener("focus", () => this.arm(), { signal });
  }

  get typed() {
    return this.#form?.texts;
  }

  /** Ignores input until the arming delay has passed, which the page shows as an animation. */
  arm() {
    this.#isArmed = false;
    clearTimeout(this.#timer);
    this.root.classList.remove("arming");
    // Reading a layout property forces a reflow, which restarts the animation.
    void this.root.offsetWidth;
    this.root.classList.add("arming");
    this.#timer = setTimeout(() => {
      this.#isArmed = true;
      this.root.classList.remove("arming");
    }, arming);
  }

  focus() {
    const target = this.#form?.first ?? this.root;
    target.focus({ preventScroll: true });
  }

  showProgress({ fraction, label }) {
    const id = newID("progress");
    this.#progress.hidden = false;
    this.#progress.replaceChildren(
      foreign("label", label ?? "Progress", { for: id }), element("progress", { id, max: "1", value: fraction }));
  }

  remove() {
    this.#form?.stop();
    clearTimeout(this.#timer);
    this.#listeners.abort();
    this.root.remove();
  }

  tick() {
    const words = [`asked ${whole(between(this.#presentation.requestedAt))} ago`];
    if (this.#end !== undefined) words.push(`expires in ${whole((this.#end - performance.now()) / 1000)}`);
    if (this.generation > 1) words.push(`shown for the ${ordinal(this.generation)} time`);
    this.#clock.replaceChildren(words.join(" · "));
  }

  #draw(prompt) {
    const title = newID("title");
    const text = newID("text");
    const who = newID("who");
    const isAlert = prompt.buttons.length > 0;
    const isCritical = prompt.severity === "critical";
    return element("section", {
      class: `card ${this.#presentation.request.kind} ${isCritical ? "critical" : ""}`.trim(), role: isAlert ? "alertdialog" : "dialog", tabindex: "-1",
      "aria-labelledby": title, "aria-describedby": `${text} ${who}`,
    },
      // The daemon's facts about the requester are separate from the program's text, which stays in its frame.
      element("dl", { class: "asker", id: who },
        prompt.asker.map((fact) => element("div", { class: fact.isOwnWord ? "own" : "known" },
          element("dt", {}, fact.label), foreign("dd", fact.text)))),
      element("div", { class: "words", id: text },
        isCritical && element("p", { class: "severity" }, "Critical"),
        foreign("h1", prompt.heading, { id: title, class: prompt.isHeadingVisible ? "" : "unseen" }),
        drawBlocks(prompt.blocks),
        prompt.payload === null ? null : foreign("pre", JSON.stringify(prompt.payload, null, 2), { tabindex: "0" })),
      this.#progress,
      this.#answers(prompt, isAlert),
      this.#error,
      element("div", { class: "arm", "aria-hidden": "true" }),
      this.#clock);
  }

  #answers(prompt, isAlert) {
    if (isAlert) {
      return element("div", {}, this.#suppression(prompt.suppressionToggle), element("div", { class: "buttons" },
        prompt.buttons.map((button) =>
          this.#button(button, () => this.#press(button))),
        this.#closing("plain")));
    }
    const anything = prompt.takesAnyJSON ? element("textarea", { id: newID("json"), rows: "3", spellcheck: "false" }) : undefined;
    return element("form", {
      novalidate: true,
      onsubmit: (event) => {
        event.preventDefault();
        if (anything) this.#submitJSON(anything.value);
        else this.#submit();
      },
    },
      this.#form?.root,
      anything && element("div", { class: "field" }, element("label", { for: anything.id }, "Answer (JSON)"), anything),
      element("div", { class: "buttons" },
        element("button", { class: "default", type: "submit" }, "Answer", element("kbd", { "aria-hidden": "true" }, "↵")),
        this.#closing("plain")));
  }

  #suppression(label) {
    if (label === null) return null;
    this.#toggle = element("input", { type: "checkbox" });
    return element("label", { class: "suppression" }, this.#toggle, foreign("span", label));
  }

  #button({ label, role, key, isDefault }, action) {
    const keys = [key, isDefault && "Enter", role === "cancel" && "Escape"].filter(Boolean);
    const signs = { Enter: "↵", Escape: "esc" };
    return element("button", {
      class: [role, isDefault && "default"].filter(Boolean).join(" "), type: "button", onclick: action,
      "aria-keyshortcuts": keys.join(" "),
    },
      foreign("span", label), keys.map((name) => element("kbd", { "aria-hidden": "true" }, signs[name] ?? name)));
  }

  #closing(kind) {
    if (this.#prompt.isDismissDisabled) return null;
    // If there is a cancel button, Escape presses it.
    const hasEscape = !this.#prompt.buttons.some((button) => button.role === "cancel");
    return element("button", { class: kind, type: "button", onclick: () => this.#dismiss() },
      this.#prompt.closing.label, hasEscape && element("kbd", { "aria-hidden": "true" }, "esc"));
  }

  // Actions of the person

  #key(event) {
    if (!this.root.isConnected || event.repeat || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    // While the list of keys is open, keys do not act on the prompt.
    if (document.querySelector("dialog[open]")) return;
    const inField = event.target.closest?.("input:not([type=checkbox]), select, textarea, [role=listbox]");
    if (event.key === "Escape") {
      event.preventDefault();
      this.#escape();
    } else if (event.key === "Enter" && !inField && !event.target.closest?.("button, a")) {
      event.preventDefault();
      const button = this.#prompt.buttons.find((candidate) => candidate.isDefault);
      if (button) this.#press(button);
      else if (this.#form) this.#submit();
    } else if (!inField) {
      const button = this.#prompt.buttons.find((candidate) => candidate.key === event.key);
      if (button) this.#press(button);
    }
  }

  #escape() {
    const cancel = this.#prompt.buttons.find((button) => button.role === "cancel");
    if (cancel) {
      this.#press(cancel);
    } else if (this.#prompt.isDismissDisabled) {
      this.#say("This prompt cannot be closed: it needs an answer.");
    } else if (this.#form?.isChanged && !this.#isSure) {
      this.#isSure = true;
      this.#say(`Your input will be lost. Press Escape again to ${closings[this.#prompt.closing.action]}.`);
    } else {
      this.#dismiss();
    }
  }

  #press(button) {
    return this.#send(() => api.press(this.id, this.generation, button.id, this.#toggle?.checked), `chose ${button.label}`);
  }

  #dismiss() {
    const deeds = { dismiss: "dismissed it", back: "went back", leave: "left" };
    return this.#send(() => api.dismiss(this.id, this.generation), deeds[this.#prompt.closing.action]);
  }

  async #submit() {
    if (!this.#isArmed || this.isSending) return;
    const answer = await this.#form.answer();
    if (answer === undefined) {
      this.#say(this.#form.trouble);
      this.#form.firstWrong?.focus();
      return;
    }
    await this.#send(() => api.submit(this.id, this.generation, answer), "answered");
  }

  async #submitJSON(text) {
    try {
      JSON.parse(text);
    } catch {
      this.#say("Not valid JSON. Put text in quotation marks.");
      return;
    }
    await this.#send(() => api.submit(this.id, this.generation, text), "answered");
  }

  async #send(call, words) {
    if (!this.#isArmed || this.isSending) return;
    this.isSending = true;
    this.#form?.hold();
    this.#say("");
    this.root.classList.add("sending");
    try {
      await call();
      this.#on.done(words);
    } catch (problem) {
      this.isSending = false;
      this.root.classList.remove("sending");
      if ([404, 409].includes(problem.status)) this.#on.refused(problem);
      else this.#say(problem.message);
    }
  }

  #say(text) {
    this.#error.replaceChildren(text);
  }
}

function ordinal(number) {
  const rest = number % 100;
  const ending = rest > 10 && rest < 14 ? "th" : (["th", "st", "nd", "rd"][number % 10] ?? "th");
  return `${number}${ending}`;
}
