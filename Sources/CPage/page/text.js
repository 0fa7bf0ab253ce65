// Draws a program's text, which the daemon has parsed into paragraphs, lists and code. Only text nodes are created.

import { element, foreign, newID } from "./elements.js";
import { drawName, sessionOf } from "./lists.js";

/**
 * Draws what a program says: commands and diffs first, then the rest, quoted and folded if there is a command or diff.
 *
 * @param heading the element of the title
 * @returns the element, the id of its title, the elements that must be seen whole, and whether they have a command or diff
 */
export function drawWords(prompt, presentation, heading = "h1") {
  const { request } = presentation;
  const title = newID("title");
  const text = drawBlocks(prompt.blocks.filter((block) => !block.isQuoted));
  const quoted = drawBlocks(prompt.blocks.filter((block) => block.isQuoted));
  const root = element("div", { class: "words", id: newID("words") },
    sessionOf(presentation) && element("p", { class: "session" }, drawName(presentation)),
    prompt.severity === "critical" && element("p", { class: "severity" }, "Critical"),
    foreign(heading, prompt.heading, { id: title, class: prompt.isHeadingVisible ? "" : "unseen" }),
    text,
    quoted.length > 0 && element("div", { class: "aside" }, folded(quoted)),
    prompt.payload === null ? null : foreign("pre", JSON.stringify(prompt.payload, null, 2), { tabindex: "0" }));
  return { root, title, exact: text, isExact: text.some((node) => node.matches("figure")) };
}

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

/** Quotes content in at most two lines, with a button that shows all. */
function folded(content) {
  const quote = element("blockquote", { class: "folded" }, content);
  const button = element("button", {
    type: "button", class: "more", hidden: true, "aria-expanded": "false",
    onclick: () => {
      const isFolded = quote.classList.toggle("folded");
      button.setAttribute("aria-expanded", String(!isFolded));
      button.replaceChildren(isFolded ? "Show all" : "Show less");
    },
  }, "Show all");
  new ResizeObserver(() => {
    if (quote.classList.contains("folded")) button.hidden = quote.scrollHeight <= quote.clientHeight + 1;
  }).observe(quote);
  return [quote, button];
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
