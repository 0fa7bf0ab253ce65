// The log view: presentations and their outcomes.

import * as api from "./api.js";
import { ending, endings, kinds, unseen, words } from "./answers.js";
import { element, foreign, newID } from "./elements.js";
import { drawName, what } from "./lists.js";
import { rulesList } from "./rules.js";
import { showStory } from "./story.js";
import { between, duration, moment } from "./times.js";

const outcomes = ["answered", "yes", "no", "other", "dismissed", "expired", "cancelled", "failed"];
const spans = { "the last hour": 3600, "the last day": 86400, "the last week": 604800, "any time": undefined };

/** Shows the log in a view; `rest` is the id of a presentation to show in detail. Returns a function that leaves the view. */
export function showLog(view, rest) {
  if (rest) return showStory(view, rest);
  let turn = 0;
  let timer;
  let cursor;
  let listed = [];
  const rows = element("tbody");
  const more = element("button", { type: "button", class: "plain", hidden: true, onclick: () => load(true) }, "Show older");
  const said = element("p", { class: "faint", role: "status" });
  const search = field("Search", element("input", { type: "search", name: "search", autocomplete: "off", dir: "auto" }));
  const app = field("App", element("input", { type: "text", name: "app", autocomplete: "off", spellcheck: "false" }));
  const outcome = field("Outcome", select("outcome", ["any", ...outcomes]));
  const kind = field("Kind", select("kind", ["any", ...Object.keys(kinds)]));
  const since = field("From", select("since", Object.keys(spans), "any time"));
  const form = element("form", { class: "filters", id: newID("filters"), role: "search", onsubmit: (event) => event.preventDefault(), oninput: () => later() },
    [search, app, outcome, kind, since].map((entry) => entry.root));

  // On a phone, the filters are collapsed.
  const opener = element("button", {
    type: "button", class: "toggle narrow", "aria-expanded": "false", "aria-controls": form.id,
    onclick: () => opener.setAttribute("aria-expanded", String(form.classList.toggle("open"))),
  }, "Filter");

  function filters() {
    const wanted = { limit: "50" };
    for (const [name, entry] of Object.entries({ search, app, outcome, kind })) {
      const value = entry.input.value.trim();
      if (value && value !== "any") wanted[["yes", "no", "other"].includes(value) ? "answer" : name] = value;
    }
    const span = spans[since.input.value];
    if (span) wanted.since = new Date(Date.now() - 1000 * span).toISOString();
    return wanted;
  }

  function later() {
    clearTimeout(timer);
    timer = setTimeout(() => load(false), 150);
  }

  async function load(isMore) {
    turn += 1;
    const own = turn;
    try {
      const wanted = filters();
      const page = await api.log(isMore ? { ...wanted, cursor } : wanted);
      if (own !== turn) return;
      cursor = page.next;
      more.hidden = !cursor;
      listed = [...(isMore ? listed : []), ...page.presentations];
      rows.replaceChildren(...listed.map((presentation) => row(presentation, wanted.search)));
      const count = rows.children.length;
      said.replaceChildren(count === 0 ? "No matching prompts." : cursor ? `Newest ${count}` : `${count} prompt${count === 1 ? "" : "s"}`);
    } catch (problem) {
      if (own === turn) said.replaceChildren(problem.message);
    }
  }

  view.replaceChildren(
    element("section", { class: "log" },
      element("div", { class: "row" }, element("h1", {}, "Log"), opener), form, said,
      element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Prompts" },
        element("table", {},
          element("thead", {}, element("tr", {}, [["When"], ["What"], ["App", "wide"], ["Outcome"], ["By", "wide"], ["Waited", "wide figure"], ["Shown", "wide figure"]].map(([name, kind]) => element("th", { scope: "col", class: kind }, name)))),
          rows)),
      more, rulesList()));
  load(false);
  return () => {
    turn += 1;
    clearTimeout(timer);
  };
}

function field(label, input) {
  input.id = newID("filter");
  return { input, root: element("div", { class: "field" }, element("label", { for: input.id }, label), input) };
}

function select(name, options, chosen) {
  return element("select", { name }, options.map((option) =>
    element("option", { value: option, selected: option === chosen }, endings[option] ?? kinds[option] ?? option)));
}

function row(presentation, search) {
  const { id, requestedAt, presentedAt, resolvedAt, resolvedBy } = presentation;
  return element("tr", {},
    element("td", {}, element("time", { datetime: requestedAt }, moment(requestedAt))),
    element("td", { class: "what" }, element("a", { href: `#log/${id}` }, what(presentation, search)),
      element("span", { class: "narrow faint" }, drawName(presentation))),
    element("td", { class: "wide" }, drawName(presentation)),
    element("td", {}, outcomeOf(presentation), unseen(presentation) && element("span", { class: "narrow faint" }, unseen(presentation))),
    element("td", { class: "wide" }, resolvedBy && foreign("span", resolvedBy.presenter ?? `uid\u00a0${resolvedBy.uid}`),
      resolvedBy && unseen(presentation) && ", ", unseen(presentation)),
    element("td", { class: "wide figure" }, presentedAt ? duration(between(requestedAt, presentedAt)) : ""),
    element("td", { class: "wide figure" }, presentedAt && resolvedAt ? duration(between(presentedAt, resolvedAt)) : ""));
}

function outcomeOf({ state, outcome, request }) {
  if (!outcome) return element("span", { class: `outcome ${state}` }, state === "presented" ? "shown" : state);
  return element("span", { class: `outcome ${ending(outcome, request)}` }, words(outcome, request));
}
