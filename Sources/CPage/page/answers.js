// What became of a presentation, in words and in kinds that have a color each.

import { foreign } from "./elements.js";

/** Endings in the order of charts, with what people call them. An answer is yes, no or another one. */
export const endings = {
  yes: "yes", no: "no", other: "other answers", dismissed: "dismissed", expired: "expired", cancelled: "cancelled", failed: "failed",
};

/** The kind of an outcome, as the daemon counts it: yes and no where a request asks for that. */
export function ending(outcome, request) {
  if (outcome.type !== "answered") return outcome.type;
  const buttons = request?.buttons ?? [];
  const button = buttons.find((candidate) => candidate.id === outcome.button);
  if (button?.role === "cancel") return "no";
  return button && buttons.length === 2 && buttons.some((other) => other.role === "cancel") ? "yes" : "other";
}

/** How many of a group of the statistics ended how. */
export function counts({ outcomes, answers = {} }) {
  const { answered = 0, ...rest } = outcomes;
  const { yes = 0, no = 0 } = answers;
  return { ...rest, yes, no, other: answered - yes - no };
}

/** An outcome in words: what was chosen by its label, with the id where that says something else. */
export function words(outcome, request) {
  if (outcome.redacted) return "answered (kept secret)";
  if (outcome.button !== undefined) {
    const label = request?.buttons?.find((button) => button.id === outcome.button)?.label ?? outcome.button;
    const isSame = label.toLowerCase() === outcome.button.toLowerCase();
    return [foreign("b", label), isSame ? null : foreign("span", ` [${outcome.button}]`, { class: "faint" })];
  }
  if (outcome.value !== undefined) return ["answered: ", value(outcome.value, request)];
  if (outcome.reason !== undefined) return `cancelled: ${outcome.reason}`;
  if (outcome.phase !== undefined) return outcome.phase === "queued" ? "expired before it was shown" : "expired";
  return outcome.detail === undefined ? outcome.type : ["failed: ", foreign("span", outcome.detail)];
}

/** A form's fields by their titles; any other JSON as it is. */
function value(json, request) {
  const fields = request?.schema?.properties;
  if (!fields || typeof json !== "object" || json === null) return foreign("code", shortened(JSON.stringify(json)));
  const texts = Object.entries(json).map(([name, entry]) => {
    const text = entry === true ? "yes" : entry === false ? "no" : entry === null ? "left empty" : String(entry);
    return `${fields[name]?.title ?? name}: ${text}`;
  });
  return foreign("span", shortened(texts.join(", ")));
}

function shortened(text) {
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
