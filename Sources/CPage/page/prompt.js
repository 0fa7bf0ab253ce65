// The card of one presentation.

import { Also, fates } from "./also.js";
import * as api from "./api.js";
import { drawAsker } from "./asker.js";
import { Buttons } from "./buttons.js";
import { element, foreign, newID } from "./elements.js";
import { Form } from "./form.js";
import { Guard } from "./guard.js";
import { Later } from "./later.js";
import { nameOf } from "./lists.js";
import { Seen } from "./seen.js";
import { drawWords } from "./text.js";
import { between, minute, ordinal, whole } from "./times.js";

/** What Escape does, by the prompt's closing action. */
const closings = { dismiss: "dismiss", close: "close", back: "go back", leave: "leave" };

export class PromptCard {
  id;
  generation;
  heading;
  presentation;
  isSending = false;
  root;

  #prompt;
  #on;
  #form;
  #buttons;
  #later;
  #also;
  #anything;
  #guard;
  #error = element("p", { class: "error", role: "alert" });
  #clock = element("p", { class: "clock faint" });
  #end;
  #isSure = false;
  #progress = element("div", { class: "progress", hidden: true });
  #seen;
  /** The commands and diffs. */
  #exact;
  #listeners = new AbortController();

  /**
   * @param presentation the presentation from the stream
   * @param description the API's `prompt` response
   * @param typed the earlier input, for a flow's form that is shown again
   * @param on callbacks: `done` with a description of the answer and whether it is remembered; `refused` with the problem
   */
  constructor(presentation, description, typed, on) {
    const prompt = description.prompt;
    this.id = presentation.id;
    this.generation = presentation.generation;
    this.heading = prompt.heading;
    this.#prompt = prompt;
    this.presentation = presentation;
    this.#on = on;
    this.#end = description.timeLeft === null ? undefined : performance.now() + 1000 * description.timeLeft;
    if (prompt.submitLabel !== null && !prompt.takesAnyJSON) this.#form = new Form(this.id, prompt.fields, typed);
    this.#later = new Later(description.timeLeft, (...choice) => this.#putOff(...choice));
    this.#also = new Also(presentation, (others) => {
      this.#seen.require([...this.#exact, ...others]);
      if (this.#buttons.remember) this.#buttons.remember.root.hidden = this.#also.isOn;
    });
    this.root = this.#draw(prompt, drawAsker(prompt));
    this.#guard = new Guard(this.root, () => this.#ready());
    this.tick();
    const { signal } = this.#listeners;
    document.addEventListener("keydown", (event) => this.#key(event), { signal });
    // A click that is meant for what was shown before restarts the guard.
    document.addEventListener("pointerdown", () => this.#isGuarded(), { signal });
    // A person who returns to the window has not read the prompt yet.
    window.addEventListener("focus", () => this.#guard.start(false), { signal });
  }

  get typed() {
    return this.#form?.texts;
  }

  /** Ignores input at first; for longer if it replaces another prompt. */
  show(isReplacing) {
    this.root.focus({ preventScroll: true });
    this.#seen.start();
    this.#guard.start(isReplacing);
  }

  /** Fetches the prompts that can be answered together with this one. */
  refresh() {
    this.#also.refresh();
  }

  showProgress({ fraction, label }) {
    const id = newID("progress");
    this.#progress.hidden = false;
    this.#progress.replaceChildren(
      foreign("label", label ?? "Progress", { for: id }), element("progress", { id, max: "1", value: fraction }));
  }

  remove() {
    this.#form?.stop();
    this.#guard.stop();
    this.#listeners.abort();
    this.root.remove();
  }

  tick() {
    const words = [`asked ${whole(between(this.presentation.requestedAt))} ago`];
    if (this.#end !== undefined) words.push(`expires in ${whole((this.#end - performance.now()) / 1000)}`);
    if (this.generation > 1) words.push(`shown for the ${ordinal(this.generation)} time`);
    this.#clock.replaceChildren(words.join(" · "));
  }

  #draw(prompt, asker) {
    const { request } = this.presentation;
    const words = drawWords(prompt, this.presentation);
    this.#buttons = new Buttons(prompt, request, { press: (button) => this.#press(button), dismiss: () => this.#dismiss() });
    const { list, row, more, remember } = this.#buttons;
    remember?.root.addEventListener("change", () => this.#also.exclude(remember.isChosen));
    if (prompt.takesAnyJSON) this.#anything = element("textarea", { id: newID("json"), rows: "3", spellcheck: "false" });
    const foot = element("div", { class: "foot" }, element("div", { class: "arm", "aria-hidden": "true" }), this.#error, row);
    const root = element("section", {
      class: ["card", request.kind, prompt.severity, words.isExact && "exact"].filter(Boolean).join(" "),
      role: prompt.buttons.length > 0 ? "alertdialog" : "dialog", tabindex: "-1",
      "aria-labelledby": words.title, "aria-describedby": `${words.root.id} ${asker.id}`,
    },
      asker.root,
      words.root,
      this.#also.list,
      this.#progress,
      element("form", {
        novalidate: true,
        oninput: () => this.#say(""),
        onsubmit: (event) => {
          event.preventDefault();
          this.#submit();
        },
      },
        this.#form?.root,
        list && element("div", { class: "field" }, list.filter, list),
        this.#anything && element("div", { class: "field" }, element("label", { for: this.#anything.id }, "Answer (JSON)"), this.#anything),
        foot,
        element("div", { class: "more" }, more, this.#also.row, this.#later.root)),
      this.#clock);
    this.#exact = words.exact;
    this.#seen = new Seen(words.exact, foot, root, this.#listeners.signal, (isSeen) => this.#buttons.showSeen(isSeen));
    return root;
  }

  #ready() {
    if (!this.root.isConnected || ![this.root, document.body].includes(document.activeElement)) return;
    const first = this.#form?.first ?? this.#buttons.list ?? this.#anything;
    // What is typed goes nowhere that cannot be seen. Tab goes there.
    if (first && this.#seen.shows(first)) first.focus({ preventScroll: true });
  }

  // Actions of the person

  /** Whether input is ignored, which restarts the guard. */
  #isGuarded() {
    if (!this.root.isConnected || this.#guard.isOver) return false;
    this.#guard.drop();
    return true;
  }

  #key(event) {
    // While the list of keys is open, keys do not act on the prompt.
    if (!this.root.isConnected || document.querySelector("dialog[open]")) return;
    const isChord = event.ctrlKey || event.metaKey || event.altKey;
    const inField = event.target.closest?.("input:not([type=checkbox]), select, textarea");
    if (this.#isGuarded()) {
      if (!isChord && (!inField || event.key === "Enter")) event.preventDefault();
      return;
    }
    if (event.repeat || event.isComposing || isChord) return;
    const isBeside = this.#buttons.isBeside(event.target) || this.#later.contains(event.target) || this.#also.contains(event.target);
    const isOutside = event.target !== document.body && !this.root.contains(event.target);
    if (isBeside && ["Escape", "Enter"].includes(event.key) || isOutside && event.key === "Escape") {
      // Saying why, or choosing what the answer is for, presses nothing.
      event.preventDefault();
      this.root.focus();
    } else if (event.key === "Escape" && event.target.type === "search" && event.target.value !== "") {
      event.preventDefault();
      event.target.value = "";
      event.target.dispatchEvent(new Event("input", { bubbles: true }));
    } else if (event.key === "Escape") {
      event.preventDefault();
      this.#escape();
    } else if (event.key === "Enter") {
      if (event.target.closest?.("button, a, summary, select, textarea")) return;
      if (this.#seen.isAll && inField) return;
      event.preventDefault();
      if (this.#seen.isAll) this.#submit();
      else this.#readOn();
    } else if (!inField) {
      const button = this.#buttons.forKey(event.key);
      if (button) this.#press(button);
    }
  }

  /** Scrolls on. The Enter that shows the end may be followed by more of them. */
  #readOn() {
    this.#seen.readOn();
    if (this.#seen.isAll) this.#guard.start(true);
  }

  #escape() {
    const cancel = this.#buttons.forKey("Escape");
    if (cancel) {
      // Escape answers only this prompt, and only this once.
      this.#send(() => api.press(this.id, this.generation, cancel.id, { comment: this.#buttons.comment }), `chose ${cancel.label}`);
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
    if (this.#also.isLoading) {
      this.#say("Not all of the others are shown yet.");
      return undefined;
    }
    const { remember, comment } = this.#buttons;
    const extra = { remember: remember?.choice(button), also: this.#also.choice, comment };
    const words = `chose ${button.label}${remember?.words(button) ?? ""}`;
    return this.#send(() => api.press(this.id, this.generation, button.id, extra), words, extra.remember !== undefined);
  }

  #dismiss() {
    const deeds = { dismiss: "dismissed it", close: "closed it", back: "went back", leave: "left" };
    return this.#send(() => api.act(this.id, "dismiss", { generation: this.generation, comment: this.#buttons.comment }), deeds[this.#prompt.closing.action]);
  }

  #putOff(seconds, label, isAll) {
    if (isAll) return this.#send(() => api.act(this.id, "pause", { for: seconds }), `paused until ${minute(Date.now() + 1000 * seconds)}: ${nameOf(this.presentation)}`);
    return this.#send(() => api.act(this.id, "snooze", { for: seconds, generation: this.generation }), `snoozed: ${label}`);
  }

  /** Sends what Enter means: the default button or the chosen one, the form, or the end of a prompt without an answer. */
  async #submit() {
    if (this.#isGuarded() || this.isSending) return;
    if (this.#prompt.buttons.length > 0) {
      const button = this.#buttons.forKey("Enter");
      if (button) await this.#press(button);
      else if (this.#buttons.list) this.#say("Choose one first.");
      return;
    }
    if (this.#prompt.closing.action === "close") {
      await this.#dismiss();
      return;
    }
    const answer = this.#anything ? this.#anything.value : await this.#form.answer();
    if (answer === undefined) {
      this.#say(this.#form.trouble);
      this.#form.firstWrong?.focus();
      return;
    }
    if (this.#anything && !isJSON(answer)) {
      this.#say("Not valid JSON. Put text in quotation marks.");
      return;
    }
    await this.#send(() => api.submit(this.id, this.generation, answer, this.#buttons.comment), "answered");
  }

  async #send(call, words, isRemembered = false) {
    if (this.#isGuarded() || this.isSending) return;
    if (this.#buttons.isCommentTooLong) {
      this.#say("Your reason is too long: it can have at most 4,096 bytes.");
      return;
    }
    this.isSending = true;
    this.#form?.hold();
    this.#say("");
    this.root.classList.add("sending");
    try {
      const reply = await call();
      this.#on.done(words + fates(reply?.also), isRemembered);
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

function isJSON(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
