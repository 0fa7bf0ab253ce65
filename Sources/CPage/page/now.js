// The "Now" view: the current prompt and the queue behind it.

import { Alerts } from "./alerts.js";
import * as api from "./api.js";
import { element, foreign, visible } from "./elements.js";
import { Grants } from "./grants.js";
import { long } from "./guard.js";
import { drawName, what } from "./lists.js";
import { PromptCard } from "./prompt.js";
import { drawQueue } from "./queue.js";
import { rulesList } from "./rules.js";
import { moment, minute, whole, between } from "./times.js";

/** Explanations for withdrawn prompts, worded as in the terminal. */
const withdrawals = {
  answered: "it was answered elsewhere",
  dismissed: "it was dismissed elsewhere",
  cancelled: "cancelled",
  expired: "it expired",
  failed: "it could not be shown",
  covered: "another prompt covers it; it comes back",
  snoozed: "it was snoozed elsewhere; it comes back",
};

/** The maximum number of queued prompts to list. */
const listed = 50;

export class NowView {
  surface = "main";
  /** Called when the current prompt or the queue length changes. */
  onChange = () => {};
  #alerts = new Alerts();

  #root = element("div", { class: "now" });
  #stage = element("div", { class: "stage" });
  #notes = element("ol", { class: "notes", "aria-label": "Recent" });
  /** A live region that screen readers announce. */
  #spoken = element("p", { class: "unseen", role: "status", "aria-live": "polite" });
  #grants = new Grants((words) => this.#say(words));
  /** The rules, which answer without a person, too. */
  #rules = element("div", {});
  #queue = element("div", {});
  #queueTitle = element("h2", {}, "Queue");
  #queueError = element("p", { class: "error", role: "alert" });
  #surfacePicker = element("select", { "aria-label": "Surface", onchange: (event) => { location.hash = `now/${encodeURIComponent(event.target.value)}`; } });
  #card;
  /** When the last prompt was removed. */
  #lastShown = -Infinity;
  #waiting = 0;
  #typed = new Map();
  #ticking;
  #queueTurn = 0;
  /** Increments with each prompt and withdrawal, so that late responses are discarded. */
  #turn = 0;
  /** The last reported progress. */
  #progress = null;
  /** The presentation whose description is being fetched. */
  #coming = null;
  /** The prompt whose answer was remembered, until the next prompt. */
  #remembered = null;
  /** The replaced card, until the reason for its withdrawal arrives. */
  #replaced = null;

  constructor() {
    this.#root.append(
      this.#stage, this.#spoken,
      element("section", { class: "queue" }, element("div", { class: "row" }, this.#queueTitle, this.#surfacePicker), this.#queueError, this.#queue),
      this.#grants.root, this.#rules, element("section", { class: "recent" }, this.#notes), this.#alerts.root);
    this.#surfacePicker.hidden = true;
    this.#empty();
    document.addEventListener("keydown", ({ key, target }) => {
      if (key !== "u" || !this.#remembered || !this.#root.isConnected || target.closest?.("input, textarea, select")) return;
      this.#grants.takeBack(this.#remembered);
      this.#remembered = null;
    });
    // Router may have been switched off or on meanwhile, which the stream does not tell.
    addEventListener("focus", () => this.#refresh());
  }

  /** Shows the view. Returns a function that leaves it. */
  enter(view) {
    view.replaceChildren(this.#root);
    this.#ticking = setInterval(() => this.#tick(), 1000);
    this.#card?.show(false);
    this.#refresh();
    this.#rules.replaceChildren(rulesList());
    return () => clearInterval(this.#ticking);
  }

  changeSurface(surface) {
    this.surface = surface;
    this.#clear();
    this.offerSurfaces([surface]);
  }

  offerSurfaces(names) {
    const known = new Set([...names, "main", this.surface]);
    this.#surfacePicker.replaceChildren(
      ...[...known].sort().map((name) => element("option", { value: name, selected: name === this.surface }, name)));
    this.#surfacePicker.hidden = known.size < 2;
  }

  connected() {
    if (!this.#card) this.#empty();
    this.#refresh();
  }

  /** Handles a lost connection: removes the current prompt, which comes back as a new showing. */
  lost() {
    this.#turn += 1;
    if (this.#card) this.#note("withdrawn", this.#card, "lost the connection to routerd; it comes back if still open");
    this.#clear();
    this.#stage.replaceChildren(
      element("section", { class: "empty" }, element("h1", {}, "No connection to routerd"), element("p", {}, "The page reconnects automatically.")));
  }

  async present({ presentation, waiting }) {
    this.#turn += 1;
    const turn = this.#turn;
    this.#coming = presentation;
    // The length may change while the description is being fetched.
    this.#waiting = waiting;
    let description;
    try {
      description = await api.prompt(presentation.id);
    } catch {
      // The presentation has ended or the connection is lost; the stream reports which.
      return;
    }
    if (turn !== this.#turn) return;
    this.#coming = null;
    const card = new PromptCard(presentation, description, this.#typed.get(presentation.id), {
      done: (words, isRemembered) => {
        if (presentation.request.flow && !presentation.request.sensitive) this.#typed.set(presentation.id, card.typed);
        this.#remembered = isRemembered ? card.id : null;
        this.#note("you", card, words + (isRemembered ? " (u takes it back)" : ""));
        this.#takeDown(card);
        this.#grants.refresh();
      },
      refused: (problem) => {
        this.#note("not accepted", card, problem.message);
        this.#takeDown(card);
      },
    });
    if (this.#progress?.id === card.id) card.showProgress(this.#progress);
    this.#retire();
    this.#replaced = this.#card;
    this.#card = card;
    this.#remembered = null;
    this.#stage.replaceChildren(card.root);
    this.#alerts.tell(description.prompt);
    this.#changed();
    if (this.#root.isConnected) card.show(performance.now() - this.#lastShown < long);
    this.#refresh();
  }

  withdraw({ id, generation, reason }) {
    if (reason === "answered") this.#grants.refresh();
    const coming = this.#coming;
    if (coming && coming.id === id && coming.generation <= generation) {
      this.#turn += 1;
      this.#coming = null;
    }
    // The next prompt may arrive before the previous one's withdrawal.
    const card = [this.#card, this.#replaced].find((card) => card && card.id === id && card.generation <= generation);
    if (!card) return;
    if (card === this.#replaced) this.#replaced = null;
    // A withdrawal while an answer is being sent is due to that answer; otherwise the reply explains it.
    if (card.isSending) return;
    this.#note("withdrawn", card, withdrawals[reason] ?? reason);
    this.#takeDown(card);
  }

  progress(event) {
    this.#progress = event;
    if (this.#card?.id === event.id) this.#card.showProgress(event);
  }

  queueChanged(waiting) {
    this.#waiting = waiting;
    this.#changed();
    this.#refresh();
  }

  /** Removes a card if it is the current one. */
  #takeDown(card) {
    if (this.#card !== card) return;
    this.#clear();
    this.#empty();
  }

  #retire() {
    if (!this.#card) return;
    this.#card.remove();
    this.#lastShown = performance.now();
  }

  #clear() {
    this.#retire();
    this.#card = undefined;
    this.#alerts.clear();
    this.#changed();
  }

  #empty() {
    this.#stage.replaceChildren(
      element("section", { class: "empty" }, element("h1", {}, "No prompts"), element("p", {}, "Prompts from programs appear here, one at a time.")));
  }

  #changed() {
    const count = this.#card ? 1 + this.#waiting : 0;
    this.#alerts.showCount(count);
    this.onChange(count);
  }

  #note(who, { heading, presentation }, words) {
    this.#notes.prepend(
      element("li", {}, element("time", {}, moment(new Date())), " ", element("b", {}, what(presentation)), " ",
        drawName(presentation), " ", foreign("span", `${who}: ${words}`)));
    while (this.#notes.children.length > 5) this.#notes.lastChild.remove();
    this.#say(`${heading}: ${who}, ${words}`);
  }

  #say(words) {
    this.#spoken.replaceChildren(visible(words));
  }

  #tick() {
    this.#card?.tick();
    this.#grants.tick();
    for (const time of this.#queue.querySelectorAll("time")) time.replaceChildren(whole(between(time.dateTime)));
  }

  /** What the buttons of the queue do. */
  #actions = {
    raise: (id) => this.#act(() => api.act(id, "raise")),
    pause: (id) => this.#act(() => api.act(id, "pause", { for: 3600 })),
    resume: (id) => this.#act(() => api.resume(id)),
  };

  async #act(call) {
    this.#queueError.replaceChildren();
    try {
      await call();
    } catch (problem) {
      // It may have been shown or have ended meanwhile.
      if (problem.status !== 404) this.#queueError.replaceChildren(problem.message);
    }
    this.#refresh();
  }

  /** Reloads the lists. */
  #refresh() {
    this.#refreshQueue();
    this.#grants.refresh();
  }

  /** Reloads the queue. Only the newest response counts. */
  async #refreshQueue(tries = 8) {
    if (!this.#root.isConnected) return;
    this.#queueTurn += 1;
    const turn = this.#queueTurn;
    let list;
    let pauses;
    let switched;
    try {
      [list, pauses, switched] = await Promise.all([api.queue(this.surface, listed), api.pauses(this.surface), api.switched()]);
    } catch {
      return;
    }
    if (turn !== this.#queueTurn) return;
    // The count in the stream may be ahead of the list, which is read from the log; retry.
    if (list.length < Math.min(this.#waiting, listed) && tries > 0) {
      setTimeout(() => turn === this.#queueTurn && this.#refreshQueue(tries - 1), 100);
    }
    this.#card?.refresh();
    const count = list.length === 0 ? "Queue empty" : `${Math.max(list.length, this.#waiting)} queued`;
    this.#queueTitle.replaceChildren(count, switched.off ? ` · Router is off${switched.until ? ` until ${minute(switched.until)}` : ""}` : "");
    this.#queue.replaceChildren(...drawQueue(list, pauses, this.#actions));
  }
}
