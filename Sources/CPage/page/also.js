// "Also 2 like this": which of the waiting prompts that are like the shown one get the same answer. Each is shown in full.

import * as api from "./api.js";
import { drawAsker } from "./asker.js";
import { element } from "./elements.js";
import { drawWords } from "./text.js";

export class Also {
  /** The choice between none, all and some; hidden while no other prompt is like the shown one. */
  row;
  /** The others, each as it would be shown by itself. */
  list;

  #presentation;
  #changed;
  /** The presentations that may be answered too, in queue order. */
  #open = [];
  /** The ids of the chosen ones. */
  #chosen = new Set();
  /** The drawn ones, by id. */
  #drawn = new Map();
  #isExcluded = false;
  #turn = 0;
  #label = element("span");
  #select = element("select", { name: "also", "aria-label": "Answer others like this too" },
    ["none", "all", "choose"].map((choice) => element("option", {}, choice)));
  #news = element("p", { role: "status" });
  #head = element("p", { class: "faint" });

  /**
   * @param presentation the shown presentation
   * @param changed called with the elements of the chosen ones, which have to be seen
   */
  constructor(presentation, changed) {
    this.#presentation = presentation;
    this.#changed = changed;
    this.#select.addEventListener("change", () => this.#choose());
    this.row = element("div", { class: "also", hidden: true }, element("label", {}, this.#label, this.#select), this.#news);
    this.list = element("div", { class: "others", role: "group", "aria-label": "Others like this", hidden: true }, this.#head);
  }

  /** Whether the person chooses others, even if none is chosen yet. */
  get isOn() {
    return this.#select.value !== "none";
  }

  /** Whether a chosen one is not drawn yet. */
  get isLoading() {
    return [...this.#chosen].some((id) => !this.#drawn.has(id));
  }

  /** What to send with an answer: the digest of each chosen one's act; `undefined` if there is none. */
  get choice() {
    if (this.#chosen.size === 0) return undefined;
    return Object.fromEntries(this.#open.filter(({ id }) => this.#chosen.has(id)).map(({ id, actDigest }) => [id, actDigest]));
  }

  /** Hides the row, because the answer is remembered. */
  exclude(isExcluded) {
    this.#isExcluded = isExcluded;
    this.#show();
  }

  /** Whether an element is one of those in which Enter and Escape press nothing. */
  contains(node) {
    return this.row.contains(node) || [...this.#drawn.values()].some(({ box }) => box === node);
  }

  /** Fetches the others again. One that has arrived is not chosen. */
  async refresh() {
    if (!this.#presentation.request.act) return;
    this.#turn += 1;
    const turn = this.#turn;
    let list;
    try {
      list = await api.like(this.#presentation.id);
    } catch {
      return;
    }
    if (turn === this.#turn) this.#replace(list);
  }

  #replace(list) {
    const [before, now] = [this.#open, list].map((each) => new Set(each.map(({ id }) => id)));
    const arrived = list.filter(({ id }) => !before.has(id)).length;
    const ended = [...this.#chosen].filter((id) => !now.has(id));
    for (const id of ended) this.#chosen.delete(id);
    for (const [id, { root }] of this.#drawn) {
      if (now.has(id)) continue;
      root.remove();
      this.#drawn.delete(id);
    }
    this.#open = list;
    if (list.length === 0) this.#select.value = "none";
    if (this.#select.value === "all" && arrived > 0) this.#select.value = "choose";
    if (arrived + ended.length > 0) {
      this.#news.replaceChildren(!this.isOn ? "" : [
        arrived > 0 && `${arrived} more came and ${arrived === 1 ? "is" : "are"} not chosen.`,
        ended.length > 0 && `${ended.length} of the chosen ended.`,
      ].filter(Boolean).join(" "));
    }
    this.#show();
  }

  #choose() {
    if (this.#select.value === "all") this.#chosen = new Set(this.#open.map(({ id }) => id));
    if (this.#select.value === "none") this.#chosen.clear();
    this.#news.replaceChildren();
    this.#show();
  }

  /** Shows the choice, and the others, fetching those that are new. */
  async #show() {
    this.#label.replaceChildren(`Also ${this.#open.length} like this:`);
    this.row.hidden = this.#open.length === 0 || this.#isExcluded;
    this.list.hidden = !this.isOn;
    const isAll = this.#select.value === "all";
    this.#head.replaceChildren(isAll ? "Gets the same answer:" : "Gets the same answer, if chosen:");
    for (const [id, { pick, box }] of this.#drawn) {
      pick.hidden = isAll;
      box.checked = this.#chosen.has(id);
    }
    this.#changed(!this.isOn ? [] : [...this.#drawn].filter(([id]) => this.#chosen.has(id)).map(([, { root }]) => root));
    const missing = this.isOn ? this.#open.filter(({ id }) => !this.#drawn.has(id)) : [];
    if (missing.length > 0) await this.#draw(missing);
  }

  async #draw(missing) {
    const descriptions = await Promise.all(missing.map(({ id }) => api.prompt(id).catch(() => undefined)));
    const gone = missing.filter((_, index) => !descriptions[index]);
    missing.forEach((presentation, index) => {
      if (descriptions[index] && this.#open.some(({ id }) => id === presentation.id)) this.#add(presentation, descriptions[index].prompt);
    });
    this.#replace(this.#open.filter((presentation) => !gone.includes(presentation)));
  }

  #add(presentation, prompt) {
    const { id } = presentation;
    if (this.#drawn.has(id)) return;
    const words = drawWords(prompt, presentation, "h2");
    const box = element("input", {
      type: "checkbox", "aria-describedby": words.title,
      onchange: () => {
        if (box.checked) this.#chosen.add(id);
        else this.#chosen.delete(id);
        this.#show();
      },
    });
    const pick = element("label", { class: "pick" }, box, "This one too");
    const root = element("section", { "aria-labelledby": words.title }, drawAsker(prompt).root, words.root, pick);
    this.#drawn.set(id, { root, box, pick });
    this.list.append(root);
  }
}

/** Says what became of the others, to follow the words for the answer; empty without others. */
export function fates(also = {}) {
  const count = (fate) => Object.values(also).filter((each) => each === fate).length;
  const others = (number) => (number === 1 ? "1 other" : `${number} others`);
  return [
    count("answered") > 0 && `, also for ${others(count("answered"))}`,
    count("resolved") > 0 && `; ${others(count("resolved"))} had ended before`,
    count("changed") > 0 && `; ${others(count("changed"))} had changed and got no answer`,
  ].filter(Boolean).join("");
}
