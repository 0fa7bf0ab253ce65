// Draws a program's message, which the daemon has parsed into paragraphs, lists and code. Only text nodes are created.

import { element, foreign } from "./elements.js";

/** Draws the blocks of a prompt. Consecutive items form one list. */
export function drawBlocks(blocks) {
  const drawn = [];
  let list;
  for (const block of blocks) {
    if (block.kind === "item") {
      if (!list) drawn.push((list = element("ul", { class: "items" })));
      list.append(element("li", { class: `level-${block.level}`, dir: "auto" },
        element("span", { class: "marker" }, block.label), element("span", {}, drawRuns(block.runs))));
      continue;
    }
    list = undefined;
    drawn.push(block.kind === "code" ? code(block) : element("p", { class: block.kind, dir: "auto" }, drawRuns(block.runs)));
  }
  return drawn;
}

/** Draws lines in a fixed-width font, in logical order: no character changes the direction of others. */
function code({ label, runs }) {
  return element("figure", { class: "code" },
    label === null ? null : foreign("figcaption", label),
    element("pre", { tabindex: "0", dir: "ltr" }, drawRuns(runs)));
}

function drawRuns(runs) {
  return runs.map(({ text, styles }) => (styles.length === 0 ? foreign("span", text) : foreign("span", text, { class: styles.join(" ") })));
}
