// The remembered answers in force, each with a button that revokes it.

import * as api from "./api.js";
import { element, foreign, newID } from "./elements.js";
import { moment } from "./times.js";

export class Grants {
  root;
  #list = element("ol", {});
  #error = element("p", { class: "error", role: "alert" });
  #say;
  /** The listed grants in JSON: an equal list is not drawn again. */
  #shown = "[]";
  #isLoading = false;
  #isStale = false;
  /** When the next of the listed grants expires, in milliseconds since 1970. */
  #expiry = Infinity;

  /** @param say announces a text to screen readers */
  constructor(say) {
    const id = newID("grants");
    this.#say = say;
    this.root = element("section", { class: "grants", hidden: true, "aria-labelledby": id },
      element("h2", { id }, "Remembered"), this.#error, this.#list);
    // Requests that are settled without a prompt change the list, and no event says so.
    window.addEventListener("focus", () => this.refresh());
  }

  /** Reloads the list, once more if it may have changed meanwhile. */
  async refresh() {
    if (!this.root.isConnected) return;
    this.#isStale = true;
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      while (this.#isStale) {
        this.#isStale = false;
        this.#show(await api.grants());
      }
    } catch {
      // The next change tries again.
    } finally {
      this.#isLoading = false;
    }
  }

  /** Reloads the list when a grant has expired. */
  tick() {
    if (Date.now() < this.#expiry) return;
    this.#expiry = Infinity;
    this.refresh();
  }

  #show(grants) {
    // The daemon's clock decides. One that is listed after its time by this clock does not cause reloads.
    this.#expiry = Math.min(...grants.map(({ until }) => Date.parse(until ?? "")).filter((time) => time > Date.now()));
    const text = JSON.stringify(grants);
    if (text === this.#shown) return;
    this.#shown = text;
    this.root.hidden = grants.length === 0;
    const focused = this.#list.contains(document.activeElement) && document.activeElement.closest("li").dataset.grant;
    this.#list.replaceChildren(...grants.map((grant) => this.#row(grant)));
    if (focused) [...this.#list.children].find((row) => row.dataset.grant === focused)?.querySelector("button").focus();
  }

  /** Revokes what the answer to a presentation made remembered. */
  async takeBack(presentation) {
    const grant = await api.grants().then((all) => all.find((grant) => grant.presentation === presentation), () => undefined);
    if (grant) await this.#revoke(grant);
  }

  #row(grant) {
    const { label, app, coverage, uid, host } = grant;
    const button = element("button", {
      type: "button", "aria-label": `Take back ${label}: ${coverage}`, onclick: () => this.#revoke(grant, button),
    }, "Take back");
    return element("li", { "data-grant": grant.id },
      element("div", {},
        element("p", { class: "title" }, foreign("b", label), ": ", foreign("span", coverage)),
        element("p", { class: "faint" }, foreign("span", app), ` · uid ${uid}${host ? ` on ${host}` : ""} · `, until(grant), ` · ${uses(grant)}`)),
      button);
  }

  async #revoke(grant, button = {}) {
    button.disabled = true;
    this.#error.replaceChildren();
    try {
      await api.revoke(grant.id);
      this.#say(`Taken back: ${grant.label}: ${grant.coverage}`);
    } catch (problem) {
      // Another one may have ended it.
      if (![404, 409].includes(problem.status)) {
        this.#error.replaceChildren(problem.message);
        return;
      }
    } finally {
      button.disabled = false;
    }
    this.refresh();
  }
}

/** Says when a grant ends: at a time, or with a process. */
function until({ until, anchor, session }) {
  if (!until && !session) return "always";
  return until ? ["until ", element("time", { datetime: until }, moment(until))] : foreign("span", `until ${anchor} (pid ${session.pid}) ends`);
}

function uses({ used, lastUsed }) {
  if (used === 0) return "not used yet";
  return `used ${used === 1 ? "once" : `${used} times, last`} at ${moment(lastUsed)}`;
}
