// What is before the person now, and what waits behind it.

import * as api from "./api.js";
import { element, foreign, visible } from "./elements.js";
import { PromptCard } from "./prompt.js";
import { moment, whole, between } from "./times.js";

/** Why something was taken away, as the terminal says it. */
const withdrawals = {
  answered: "it was answered elsewhere",
  dismissed: "it was dismissed elsewhere",
  cancelled: "it is no longer wanted",
  expired: "its time was up",
  failed: "another presenter could not show it",
  covered: "something is stacked on it; it comes back",
};

/** How many of what waits are listed. */
const listed = 50;

export class NowView {
  surface = "main";
  /** Called when what is shown or waits has changed. */
  onChange = () => {};

  #root = element("div", { class: "now" });
  #stage = element("div", { class: "stage" });
  #notes = element("ol", { class: "notes", "aria-label": "Just now" });
  /** Read aloud by screen readers as it changes. */
  #spoken = element("p", { class: "unseen", role: "status", "aria-live": "polite" });
  #queue = element("ol", {});
  #queueTitle = element("h2", {}, "Waiting");
  #surfacePicker = element("select", { "aria-label": "Surface", onchange: (event) => { location.hash = `now/${encodeURIComponent(event.target.value)}`; } });
  #card;
  #waiting = 0;
  #typed = new Map();
  #ticking;
  #queueTurn = 0;
  /** Counts what comes and goes: whatever is fetched for what is not there any more is too late. */
  #turn = 0;
  /** What is about to be shown, until its description has come. */
  #coming = null;
  /** What was replaced before anybody said why it is over. */
  #replaced = null;

  constructor() {
    this.#root.append(
      this.#stage, this.#spoken,
      element("section", { class: "queue" }, element("div", { class: "row" }, this.#queueTitle, this.#surfacePicker), this.#queue),
      element("section", { class: "recent" }, this.#notes));
    this.#surfacePicker.hidden = true;
    this.#empty();
  }

  /** Comes before the person. Returns what leaves again. */
  enter(view) {
    view.replaceChildren(this.#root);
    this.#ticking = setInterval(() => this.#tick(), 1000);
    this.#card?.arm();
    this.#card?.focus();
    this.#refreshQueue();
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
    this.#refreshQueue();
  }

  /** The daemon is away: what was shown cannot be answered now. It comes back as a new showing. */
  lost() {
    this.#turn += 1;
    if (this.#card) this.#note("taken away", this.#card.heading, "the daemon is away; it comes back if it is still wanted");
    this.#clear();
    this.#stage.replaceChildren(
      element("section", { class: "empty" }, element("h1", {}, "The daemon is away"), element("p", {}, "The page comes back by itself.")));
  }

  async present({ presentation, waiting }) {
    this.#turn += 1;
    const turn = this.#turn;
    this.#coming = presentation;
    let description;
    try {
      description = await api.prompt(presentation.id);
    } catch {
      // It has ended meanwhile, or the daemon is away; the stream says which.
      return;
    }
    if (turn !== this.#turn) return;
    this.#coming = null;
    const card = new PromptCard(presentation, description, this.#typed.get(presentation.id), {
      done: (words) => {
        if (presentation.request.flow && !presentation.request.sensitive) this.#typed.set(presentation.id, card.typed);
        this.#note("you", card.heading, words);
        this.#takeDown(card);
      },
      refused: (problem) => {
        this.#note("too late", card.heading, problem.message);
        this.#takeDown(card);
      },
    });
    this.#card?.remove();
    this.#replaced = this.#card;
    this.#card = card;
    this.#stage.replaceChildren(card.root);
    this.#waiting = waiting;
    this.#changed();
    if (this.#root.isConnected) card.focus();
    this.#refreshQueue();
  }

  withdraw({ id, generation, reason }) {
    const coming = this.#coming;
    if (coming && coming.id === id && coming.generation <= generation) {
      this.#turn += 1;
      this.#coming = null;
    }
    // The next prompt may come before the reason why the one before it is over.
    const card = [this.#card, this.#replaced].find((card) => card && card.id === id && card.generation <= generation);
    if (!card) return;
    if (card === this.#replaced) this.#replaced = null;
    // What is being answered here is taken away because of it, or the reply says why not.
    if (card.isSending) return;
    this.#note("taken away", card.heading, withdrawals[reason] ?? reason);
    this.#takeDown(card);
  }

  queueChanged(waiting) {
    this.#waiting = waiting;
    this.#changed();
    this.#refreshQueue();
  }

  /** Takes a card away, unless another is there already. */
  #takeDown(card) {
    if (this.#card !== card) return;
    this.#clear();
    this.#empty();
  }

  #clear() {
    this.#card?.remove();
    this.#card = undefined;
    this.#changed();
  }

  #empty() {
    this.#stage.replaceChildren(
      element("section", { class: "empty" }, element("h1", {}, "Nothing asks"), element("p", {}, "What programs ask comes up here, one at a time.")));
  }

  #changed() {
    this.onChange(Boolean(this.#card), this.#waiting);
  }

  #note(who, heading, words) {
    this.#notes.prepend(
      element("li", {}, element("time", {}, moment(new Date())), " ", foreign("b", heading), " ", foreign("span", `${who}: ${words}`)));
    while (this.#notes.children.length > 5) this.#notes.lastChild.remove();
    this.#spoken.replaceChildren(visible(`${heading}: ${who}, ${words}`));
  }

  #tick() {
    this.#card?.tick();
    for (const time of this.#queue.querySelectorAll("time")) time.replaceChildren(whole(between(time.dateTime)));
  }

  /** The list behind what is shown. Only the newest answer counts. */
  async #refreshQueue(tries = 8) {
    if (!this.#root.isConnected) return;
    this.#queueTurn += 1;
    const turn = this.#queueTurn;
    let list;
    try {
      list = await api.queue(this.surface, listed);
    } catch {
      return;
    }
    if (turn !== this.#queueTurn) return;
    // The count runs ahead of the record, from which the list is.
    if (list.length < Math.min(this.#waiting, listed) && tries > 0) {
      setTimeout(() => turn === this.#queueTurn && this.#refreshQueue(tries - 1), 100);
    }
    this.#queueTitle.replaceChildren(list.length === 0 ? "Nothing waits" : `${Math.max(list.length, this.#waiting)} waiting`);
    this.#queue.replaceChildren(
      ...list.map(({ requester, request, requestedAt }) =>
        element("li", { class: request.priority },
          foreign("span", request.title ?? request.schema?.title ?? request.sheet ?? request.kind, { class: "title" }),
          element("span", { class: "faint" }, foreign("span", requester.app), ` · uid ${requester.uid} · `,
            element("time", { datetime: requestedAt }, whole(between(requestedAt)))))));
  }
}
