// Draws a program's text, which the daemon has parsed into paragraphs, lists and code. Only text nodes are created.

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

/** Draws the text beside a command: facts as they are, and what an agent says, or else all of it, quoted and folded. */
export function drawAside(blocks) {
  const text = blocks.length === 1 && blocks[0].kind === "paragraph" ? blocks[0].runs.map((run) => run.text).join("") : "";
  const lines = text.split("\n");
  const start = lines.indexOf("The agent says:");
  if (start < 0) return blocks.length === 0 ? [] : folded(drawBlocks(blocks));
  // Only indented lines are the agent's.
  const after = lines.slice(start + 1);
  const length = after.findIndex((line) => !line.startsWith("  "));
  const words = length < 0 ? after : after.slice(0, length);
  const facts = [...lines.slice(0, start), ...(length < 0 ? [] : after.slice(length))].join("\n");
  return [
    facts === "" ? null : foreign("p", facts, { class: "faint" }),
    element("p", { class: "faint" }, lines[start]),
    folded(foreign("p", words.map((line) => line.slice(2)).join("\n"))),
  ];
}

/** Quotes text in at most two lines, with a button that shows all. */
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
