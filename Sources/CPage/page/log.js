// The log view: presentations and their outcomes.

import * as api from "./api.js";
import { ending, endings, words } from "./answers.js";
import { element, foreign, newID } from "./elements.js";
import { drawBlocks } from "./text.js";
import { between, duration, moment } from "./times.js";

const outcomes = ["answered", "yes", "no", "other", "dismissed", "expired", "cancelled", "failed"];
const kinds = ["alert", "confirmationDialog", "sheet", "fullScreenCover"];
const spans = { "the last hour": 3600, "the last day": 86400, "the last week": 604800, "any time": undefined };

/** Shows the log in a view; `rest` is the id of a presentation to show in detail. Returns a function that leaves the view. */
export function showLog(view, rest) {
  if (rest) return showStory(view, rest);
  let turn = 0;
  let timer;
  let cursor;
  const rows = element("tbody");
  const more = element("button", { type: "button", class: "plain", hidden: true, onclick: () => load(true) }, "Older");
  const said = element("p", { class: "faint", role: "status" });
  const search = field("Search", element("input", { type: "search", name: "search", autocomplete: "off", dir: "auto" }));
  const app = field("App", element("input", { type: "text", name: "app", autocomplete: "off", spellcheck: "false" }));
  const outcome = field("Outcome", select("outcome", ["any", ...outcomes]));
  const kind = field("Kind", select("kind", ["any", ...kinds]));
  const since = field("From", select("since", Object.keys(spans), "any time"));
  const form = element("form", { class: "filters", id: newID("filters"), role: "search", onsubmit: (event) => event.preventDefault(), oninput: () => later() },
    [search, app, outcome, kind, since].map((entry) => entry.root));

  // On a phone the log comes first.
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
      const page = await api.log(isMore ? { ...filters(), cursor } : filters());
      if (own !== turn) return;
      cursor = page.next;
      more.hidden = !cursor;
      const drawn = page.presentations.map(row);
      if (isMore) rows.append(...drawn);
      else rows.replaceChildren(...drawn);
      const count = rows.children.length;
      said.replaceChildren(count === 0 ? "Nothing like that is on record." : `${count} presentation${count === 1 ? "" : "s"}${cursor ? ", and more" : ""}`);
    } catch (problem) {
      if (own === turn) said.replaceChildren(problem.message);
    }
  }

  view.replaceChildren(
    element("section", { class: "log" },
      element("div", { class: "row" }, element("h1", {}, "Log"), opener), form, said,
      element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Presentations" },
        element("table", {},
          element("thead", {}, element("tr", {}, [["When"], ["What"], ["App", "wide"], ["Outcome"], ["By", "wide"], ["Waited", "wide figure"], ["Shown", "wide figure"]].map(([name, kind]) => element("th", { scope: "col", class: kind }, name)))),
          rows)),
      more));
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
    element("option", { value: option, selected: option === chosen }, endings[option] ?? option)));
}

function heading(request) {
  return request.title ?? request.schema?.title ?? request.sheet ?? request.kind;
}

function row(presentation) {
  const { id, requester, request, requestedAt, presentedAt, resolvedAt, resolvedBy } = presentation;
  return element("tr", {},
    element("td", {}, element("time", { datetime: requestedAt }, moment(requestedAt))),
    element("td", { class: "what" }, element("a", { href: `#log/${id}` }, foreign("span", heading(request))),
      foreign("span", requester.app, { class: "narrow faint" })),
    element("td", { class: "wide" }, foreign("span", requester.app)),
    element("td", {}, outcomeOf(presentation)),
    element("td", { class: "wide" }, resolvedBy ? foreign("span", resolvedBy.presenter ?? `uid ${resolvedBy.uid}`) : ""),
    element("td", { class: "wide figure" }, presentedAt ? duration(between(requestedAt, presentedAt)) : ""),
    element("td", { class: "wide figure" }, presentedAt && resolvedAt ? duration(between(presentedAt, resolvedAt)) : ""));
}

function outcomeOf({ state, outcome, request }) {
  if (!outcome) return element("span", { class: `outcome ${state}` }, state);
  return element("span", { class: `outcome ${ending(outcome, request)}` }, words(outcome, request));
}

/** Shows the timeline of one presentation: each event, the time since the first one, and its details. */
function showStory(view, id) {
  let isGone = false;
  const root = element("section", { class: "story" }, element("p", {}, element("a", { href: "#log" }, "← Log")));
  view.replaceChildren(root);
  (async () => {
    let events;
    try {
      events = await api.events(id);
    } catch (problem) {
      if (!isGone) root.append(nothing(id, problem));
      return;
    }
    if (isGone) return;
    const request = events.find((event) => event.type === "requested")?.detail?.request;
    const end = events.findLast((event) => event.detail?.outcome)?.detail.outcome;
    root.append(
      request ? foreign("h1", heading(request)) : element("h1", {}, "A presentation"),
      request?.message ? foreign("p", request.message, { class: "message" }) : "",
      drawBlocks((request?.attachments ?? []).map(({ type, title, text }) => (
        { kind: "code", label: title ?? type, runs: [{ text, styles: [] }] }))),
      end ? element("p", { class: `outcome ${ending(end, request)}` }, words(end, request)) : "",
      element("p", { class: "faint" }, element("code", {}, id)),
      element("ol", { class: "timeline" }, events.map((event) => step(event, events[0], request))));
  })();
  return () => {
    isGone = true;
  };
}

/** What a link leads to that is not on record, or not any more. */
function nothing(id, problem) {
  if (![400, 404].includes(problem.status)) return element("p", { class: "error", role: "alert" }, problem.message);
  return element("div", { class: "empty", role: "alert" },
    element("h1", {}, "Not in the log"),
    element("p", {}, "The log has nothing under ", foreign("code", id), "."),
    element("p", {}, "It may be older than what the log keeps, or the link is not whole."));
}

function step(event, first, request) {
  const after = between(first.at, event.at);
  return element("li", { class: event.type },
    element("div", {},
      element("b", {}, event.type.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)), " ",
      element("time", { datetime: event.at, class: "faint" }, event === first ? moment(event.at) : `+${duration(after)}`)),
    facts(event.detail ?? {}, request));
}

/** Formats a nested value: inline if it is short, otherwise collapsed. */
function nested(value) {
  const text = JSON.stringify(value, null, 1);
  if (text.length < 200) return foreign("code", JSON.stringify(value));
  return element("details", {}, element("summary", {}, "show"), foreign("pre", JSON.stringify(value, null, 2), { tabindex: "0" }));
}

/** What an event says, a line each. */
function facts(detail, request) {
  const lines = Object.entries(detail).filter(([, value]) => value !== null);
  if (lines.length === 0) return null;
  return element("dl", {}, lines.map(([name, value]) => {
    if (name === "outcome") return element("div", {}, element("dt", {}, name), element("dd", {}, words(value, request)));
    const isNested = typeof value === "object";
    return element("div", {}, element("dt", {}, name),
      isNested ? element("dd", {}, nested(value)) : foreign("dd", String(value)));
  }));
}
