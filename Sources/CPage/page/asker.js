// Who asks: the kernel's facts, and what the program calls itself.

import { element, foreign, newID } from "./elements.js";

/** Draws one line about who asks, which opens to everything that is known. Below it, loud, is what is odd. */
export function drawAsker({ brief, oddities, asker }) {
  const id = newID("who");
  const root = element("details", { class: oddities.length > 0 ? "asker odd" : "asker" },
    element("summary", { id }, foreign("span", brief, { class: "brief" }), oddities.map((text) => foreign("strong", text))),
    // The daemon's facts are separate from the program's text, which stays in its frame.
    element("dl", {},
      asker.map((fact) => element("div", { class: fact.isOwnWord ? "own" : "known" },
        element("dt", {}, fact.label), foreign("dd", fact.text)))));
  return { root, id };
}
