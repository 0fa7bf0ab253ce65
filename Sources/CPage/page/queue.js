// The waiting prompts, by session.

import { element } from "./elements.js";
import { bySession, namesOf, what } from "./lists.js";
import { between, moment, whole } from "./times.js";

/** Draws the prompts in queue order, or if they come from several sessions, those of each under a heading. */
export function drawQueue(list, onRaise) {
  const name = namesOf(list);
  const groups = bySession(list);
  if (groups.length < 2) return [element("ol", {}, list.map((presentation) => drawRow(presentation, name(presentation), onRaise)))];
  return groups.map((group) => {
    const heading = name(group[0]);
    return element("section", {},
      element("h3", {}, heading, element("span", { class: "faint" }, group.length === 1 ? " 1 prompt" : ` ${group.length} prompts`)),
      element("ol", {}, group.map((presentation) => {
        const own = name(presentation);
        // An agent may change its directory.
        const rest = own.textContent === heading.textContent ? null : [" · ", own];
        return drawRow(presentation, [element("span", { title: "Place in the queue; the shown prompt is #1" }, `#${presentation.position + 1}`), rest], onRaise);
      })));
  });
}

function drawRow(presentation, start, onRaise) {
  const { id, requester, request, requestedAt, snoozedUntil } = presentation;
  return element("li", { class: request.priority },
    element("span", { class: "title" }, what(presentation)),
    element("span", { class: "faint" }, start, ` · uid ${requester.uid}${requester.host ? ` on ${requester.host}` : ""} · `,
      element("time", { datetime: requestedAt }, whole(between(requestedAt))),
      snoozedUntil ? ` · not before ${moment(snoozedUntil)}` : ""),
    request.over ? null : element("button", { type: "button", onclick: () => onRaise(id) }, "Show now"));
}
