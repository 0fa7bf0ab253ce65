// The waiting prompts, by session.

import { heading } from "./answers.js";
import { element, foreign, visible } from "./elements.js";
import { bySession, colorOf, drawName as name, what } from "./lists.js";
import { between, minute, whole } from "./times.js";

/**
 * Draws the paused sessions and the prompts, in queue order, or if they come from several sessions, those of each under a heading.
 *
 * @param actions `raise` and `pause` a prompt's id, and `resume` the id of the prompt that a session was paused at
 */
export function drawQueue(list, pauses, actions) {
  const groups = bySession(list);
  const paused = pauses.map((pause) => drawPause(pause, expiringBefore(pause, groups), actions));
  if (groups.length < 2) {
    return [...paused, element("ol", {}, list.map((presentation) => drawRow(presentation, name(presentation), actions.raise)))];
  }
  return paused.concat(groups.map((group) => {
    const heading = name(group[0]);
    return element("section", {},
      element("div", { class: "row" },
        element("h3", {}, heading, element("span", { class: "faint" }, group.length === 1 ? " 1 prompt" : ` ${group.length} prompts`)),
        pauses.length > 0 && group.every(({ snoozedUntil }) => snoozedUntil) ? null : pauseButton(group[0].id, heading.textContent, actions)),
      element("ol", {}, group.map((presentation) => {
        const own = name(presentation);
        // An agent may change its directory.
        const rest = own.textContent === heading.textContent ? null : [" · ", own];
        return drawRow(presentation, [element("span", { title: "Queue position; the shown prompt is #1" }, `#${presentation.position + 1}`), rest], actions.raise);
      })));
  }));
}

/** Draws a button that lets all prompts of a prompt's session wait. */
function pauseButton(id, heading, actions) {
  const words = "Pause for 1 h";
  return element("button", {
    type: "button", title: "Lets all prompts of this session wait for an hour", "aria-label": `${words}: ${visible(heading)}`,
    onclick: () => actions.pause(id),
  }, words);
}

/** Counts the prompts of a paused session that expire before its end. */
function expiringBefore({ presentation, until }, groups) {
  const own = groups.find((group) => group.some(({ id }) => id === presentation)) ?? [];
  const ends = own.filter(({ request }) => request.timeout !== undefined)
    .map(({ requestedAt, request }) => Date.parse(requestedAt) + request.timeout * 1000);
  return ends.filter((end) => end < Date.parse(until)).length;
}

function drawPause({ presentation, label, session, until }, expiring, actions) {
  const warning = expiring === 0 ? "" : ` · ${expiring} ${expiring === 1 ? "prompt expires" : "prompts expire"} before`;
  return element("div", { class: "paused" },
    element("span", {}, foreign("b", label, { class: colorOf(session) }), ` paused until ${minute(until)}${warning}`),
    element("button", { type: "button", "aria-label": `Resume: ${visible(label)}`, onclick: () => actions.resume(presentation) }, "Resume"));
}

function drawRow(presentation, start, onRaise) {
  const { id, requester, request, requestedAt, snoozedUntil, requires, approvals = [] } = presentation;
  return element("li", { class: request.priority },
    element("span", { class: "title" }, what(presentation)),
    element("span", { class: "faint" }, start, ` · uid ${requester.uid}${requester.host ? ` on ${requester.host}` : ""} · `,
      element("time", { datetime: requestedAt }, whole(between(requestedAt))),
      snoozedUntil ? ` · not before ${minute(snoozedUntil)}` : "",
      requires ? ` · waits for ${requires} people other than uid ${requester.uid}; ${approvals.length} of ${requires} have approved` : ""),
    // Those who may answer it are shown it when it is its turn.
    request.over || requires ? null : element("button", {
      type: "button", "aria-label": `Show now: #${presentation.position + 1}, ${visible(heading(request))}`, onclick: () => onRaise(id),
    }, "Show now"));
}
