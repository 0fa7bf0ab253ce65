// Describes outcomes in words, and by kinds that each have a color.

import { foreign } from "./elements.js";

/** The kinds of outcomes in chart order, with their labels. An answer is yes, no or other. */
export const endings = {
  yes: "yes", no: "no", other: "other answers", dismissed: "dismissed", expired: "expired", cancelled: "cancelled", failed: "failed",
};

/** Returns the kind of an outcome, as the daemon counts it: yes or no if the request has a cancel button and one other. */
export function ending(outcome, request) {
  if (outcome.type !== "answered") return outcome.type;
  const buttons = request?.buttons ?? [];
  const button = buttons.find((candidate) => candidate.id === outcome.button);
  if (button?.role === "cancel") return "no";
  return button && buttons.length === 2 && buttons.some((other) => other.role === "cancel") ? "yes" : "other";
}

/** Says what settled a presentation, or what an event did, if no person looked at it: a remembered answer or a rule. */
export function unseen(settled) {
  const { grant, rule } = settled?.because ?? {};
  return grant !== undefined ? "remembered" : rule !== undefined ? `rule ${rule}` : undefined;
}

/** Counts a group of the statistics by kind of outcome. */
export function counts({ outcomes, answers = {} }) {
  const { answered = 0, ...rest } = outcomes;
  const { yes = 0, no = 0 } = answers;
  return { ...rest, yes, no, other: answered - yes - no };
}

/** Why a prompt was cancelled, worded as in the terminal. */
const reasons = {
  requester: "cancelled",
  requesterGone: "cancelled: its program ended",
  superseded: "cancelled: a newer prompt replaced it",
  busy: "cancelled: another prompt was open",
  parentEnded: "cancelled: the prompt below it ended",
  noPresenter: "nobody was there to ask",
  admin: "cancelled by an administrator",
  refused: "refused by a rule",
  interrupted: "cancelled: routerd stopped",
};

/** Describes an outcome in words: a button by its label, with its id if they differ. */
export function words(outcome, request) {
  if (outcome.redacted) return "answered (not recorded)";
  if (outcome.button !== undefined) {
    const label = request?.buttons?.find((button) => button.id === outcome.button)?.label ?? outcome.button;
    const isSame = label.toLowerCase() === outcome.button.toLowerCase();
    return [foreign("b", label), isSame ? null : foreign("span", ` [${outcome.button}]`, { class: "faint" })];
  }
  if (outcome.value !== undefined) return ["answered: ", value(outcome.value, request)];
  if (outcome.reason !== undefined) return reasons[outcome.reason] ?? `cancelled: ${outcome.reason}`;
  if (outcome.phase !== undefined) return outcome.phase === "queued" ? "nobody saw it in time" : "nobody answered in time";
  return outcome.detail === undefined ? outcome.type : ["failed: ", foreign("span", outcome.detail)];
}

/** Returns a form's answer as pairs of a field's title and a text; `undefined` for any other answer. */
export function filledIn(json, request) {
  const fields = request?.schema?.properties;
  if (!fields || typeof json !== "object" || json === null) return undefined;
  return Object.entries(json).map(([name, entry]) => [
    fields[name]?.title ?? name, entry === true ? "yes" : entry === false ? "no" : entry === null ? "left empty" : chosen(entry, fields[name])]);
}

/** Describes a field's value: choices by their titles. */
function chosen(entry, field) {
  const options = field?.oneOf ?? field?.items?.anyOf ?? field?.items?.oneOf ?? [];
  const titles = new Map(options.map((option) => [option.const, option.title]));
  return [entry].flat().map((value) => titles.get(value) ?? String(value)).join(", ");
}

/** Describes a form's answer by field titles, and any other answer as JSON. */
function value(json, request) {
  const lines = filledIn(json, request);
  if (!lines) return foreign("code", shortened(JSON.stringify(json)));
  return foreign("span", shortened(lines.map(([title, text]) => `${title}: ${text}`).join(", ")));
}

function shortened(text) {
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

/** The kinds of presentations, in words. */
export const kinds = { alert: "question", confirmationDialog: "choice", sheet: "form", fullScreenCover: "full-screen form" };

/** Returns what will run or change: an act's object, or its arguments as a shell would read them back; empty without both. */
export function objectOf({ object, argv }) {
  if (!argv || object === argv.join(" ")) return object ?? "";
  return argv.map((word) => (/^[\w./+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
}

/** What a request is called in lists. */
export function heading(request) {
  return request.title ?? request.schema?.title ?? request.sheet ?? kinds[request.kind];
}
