// The story view: the timeline of one presentation.

import * as api from "./api.js";
import { ending, filledIn, heading, kinds, objectOf, unseen, words } from "./answers.js";
import { element, foreign } from "./elements.js";
import { drawName } from "./lists.js";
import { drawBlocks } from "./text.js";
import { between, duration, moment } from "./times.js";

/** Shows the timeline of one presentation: each event, the time since the first one, and its details. */
export function showStory(view, id) {
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
    const { request, requester } = events.find((event) => event.type === "requested")?.detail ?? {};
    const settled = events.findLast((event) => event.detail?.outcome)?.detail;
    const end = settled?.outcome;
    root.append(
      request ? foreign("h1", heading(request)) : element("h1", {}, "Prompt"),
      request?.message ? foreign("p", request.message, { class: "message" }) : "",
      drawBlocks((request?.attachments ?? []).map(({ type, title, text }) => (
        { kind: "code", label: title ?? type, runs: [{ text, styles: [] }] }))),
      end ? element("p", { class: `outcome ${ending(end, request)}` }, words(end, request), unseen(settled) && element("span", { class: "faint" }, `, ${unseen(settled)}`)) : "",
      end?.comment ? foreign("blockquote", end.comment) : "",
      element("p", { class: "faint" }, request ? [drawName({ request, requester }), " · "] : "", element("code", {}, id)),
      element("ol", { class: "timeline" }, events.map((event) => step(event, events[0], request))));
  })();
  return () => {
    isGone = true;
  };
}

/** Explains that a linked presentation is not in the log. */
function nothing(id, problem) {
  if (![400, 404].includes(problem.status)) return element("p", { class: "error", role: "alert" }, problem.message);
  return element("div", { class: "empty", role: "alert" },
    element("h1", {}, "Not in the log"),
    element("p", {}, "The log has no prompt with the id ", foreign("code", id), "."),
    element("p", {}, "It may have been pruned, or the link may be incomplete."));
}

/** The events whose types do not say enough, in words. */
const titles = { granted: "answer remembered", revoked: "remembered answer revoked", paused: "session paused", resumed: "session resumed", rulesLoaded: "rules in force", switched: "Router switched off or on", ran: "reported" };

function titleOf({ type, detail }) {
  if (detail?.because?.grant) return `${type}, as remembered`;
  if (detail?.because?.rule) return `${type}, by the rule ${detail.because.rule}`;
  if (detail?.because?.with) return `${type}, together with another`;
  return titles[type] ?? type.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function step(event, first, request) {
  const after = between(first.at, event.at);
  const lines = facts(event, request);
  const outcome = event.detail?.outcome;
  return element("li", { class: outcome ? `${event.type} ${ending(outcome, request)}` : event.type },
    element("div", {},
      element("b", {}, titleOf(event)), " ",
      element("time", { datetime: event.at, class: "faint" }, event === first ? moment(event.at) : `+${duration(after)}`)),
    lines.length === 0 ? null : element("dl", {}, lines.map(([label, text]) => element("div", {}, foreign("dt", label), told(text)))));
}

const told = (text) => (typeof text === "string" ? foreign("dd", text) : element("dd", {}, text));

/** The members of events to show, in order, each as lines of a label and a text. Others are for the daemon's own use. */
const members = {
  requester: (party) => [
    ["app", party.app], ["requester", person(party)], ["program", program(party)], ["called by", callers(party)],
    ["directory", party.directory]],
  request: (request) => [
    ["kind", [kinds[request.kind], request.sheet].filter(Boolean).join(" ")], ["buttons", request.buttons?.map(({ label }) => label).join(", ")],
    ...actLines(request.act), ["fields", Object.entries(request.schema?.properties ?? {}).map(([name, field]) => field.title ?? name).join(", ")],
    ["surface", request.surface], ["priority", request.priority], ["expires after", request.timeout && duration(request.timeout)],
    ...Object.entries(request.metadata ?? {})],
  attached: (isAttached) => [["lifetime", isAttached ? "ends with its requester's connection" : "detached"]],
  label: (label) => [["answer", label]],
  act: (act) => (typeof act === "string" ? [["act", `sha256 ${act}`]] : actLines(act)),
  status: (status) => [["ran", `exit status ${status}`]],
  signal: (signal) => [["ran", `ended by signal ${signal}`]],
  failed: (reason) => [["failed", reason]],
  notRun: (reason) => [["not run", reason]],
  match: (match, { count, coverage }) => [["covers", coverage ?? (match === "prefix" ? `commands that begin with these ${count} arguments, with options that only read` : coverages[match] ?? match)]],
  until: (time) => [["until", moment(time)]],
  session: ({ pid }, { anchor }) => [["until", `${anchor} (pid ${pid}) ends`]],
  app: (app) => [["app", app]],
  surface: (surface) => [["surface", surface]],
  presenters: (list) => [["presenters", list.map(person).join(", ")]],
  by: (party) => [["by", person(party)], ["program", program(party)]],
  because: ({ grant, rule, rules, with: other }) => [
    ["because", grant && `the answer was remembered (${grant}); nobody was asked`],
    ["because", rule && `the rule ${rule} decides it; nobody was asked`], ["rules", rules && `sha256 ${rules}`],
    ["because", other && `the person gave the answer to ${other} to this one too`]],
  ruled: ({ rule, destructive, remember, priority }) => [
    ["rule", [rule, destructive && "destructive", remember === false && "not remembered", priority && `priority ${priority} at most`].filter(Boolean).join(", ")]],
  sha256: (digest) => [["sha256", digest]],
  file: (file) => [["file", file]],
  finishedBy: (party) => [["finished by", person(party)]],
  what: (what) => [["what", what]],
  reason: (reason) => [["reason", reason]],
  error: (error) => [["error", error]],
  attempts: (count) => [["attempts", String(count)]],
  level: (level) => [["level", level > 0 && String(level)]],
  generation: (number) => [["showing", number > 1 && String(number)]],
  shownFor: (seconds) => [["shown for", duration(seconds)]],
  for: (seconds) => [["for", duration(seconds)]],
  stays: (stays) => [["stays open", stays && "yes"]],
};

/** What a remembered answer covers, by the kind of match, in records without words for it. */
const coverages = { exact: "exactly this", under: "anywhere below the directory", verb: "any of this kind in the directory" };

/** An act's members that a person can read at a glance. */
function actLines(act) {
  return act ? [["act", `${act.verb} ${objectOf(act)}`.trimEnd()], ["directory", act.directory]] : [];
}

/** Why a remembered answer ended by itself. */
const ends = {
  processGone: "the program that it was bound to has ended", unused: "it was not used for long",
  roleLost: "who gave it lost the role grant",
};

/** Returns an event's details as lines of a label and a text. */
function facts({ type, detail }, request) {
  const known = Object.entries(members).flatMap(([name, lines]) => (detail?.[name] == null ? [] : lines(detail[name], detail)));
  const outcome = detail?.outcome;
  const end = !outcome ? [] : filledIn(outcome.value, request) ?? [["outcome", words(outcome, request)]];
  const why = outcome?.comment ? [["why", outcome.comment]] : [];
  const gone = type === "revoked" && !detail.by ? [["because", ends[detail.because] ?? ends.processGone]] : [];
  return [...end, ...why, ...gone, ...known].filter(([, text]) => text && text !== type);
}

/** Describes a user, with the presenter and the process if known. */
function person({ uid, pid, host, name, presenter }) {
  return [name ?? presenter, `uid ${uid}${host ? ` on ${host}` : ""}`, pid && `pid ${pid}`].filter(Boolean).join(", ");
}

/** Why an executable's path may not name the program that connected, as the daemon says it. */
const doubts = {
  otherNamespace: "in another namespace", deleted: "deleted or replaced", later: "perhaps started after connecting",
};

/** Describes an executable, with the doubt if there is one. */
function program({ executable, executableDoubt: doubt }) {
  return executable && doubt ? `${executable} (${doubts[doubt] ?? doubt})` : executable;
}

/** Describes the programs that asked, nearest first, without Router's own and the init process, as the daemon does. */
function callers({ ancestry = [] }) {
  const names = ancestry.map(({ pid, script, executable, command, executableDoubt: doubt }) => (pid === 1 ? null
    : (script ?? executable ?? command ?? "?").split("/").pop() + (doubt === "otherNamespace" ? ` (${doubts[doubt]})` : "")));
  const start = names.findIndex((name) => name !== "routerctl");
  const end = names.indexOf(null);
  const chain = start < 0 ? [] : names.slice(start, end < 0 ? undefined : end);
  return chain.filter((name, index) => name !== chain[index - 1]).join(" ← ");
}
