// Elements of the page. Text only ever becomes text: there is no way here to make markup of it.

/** Makes an element. Properties named `on…` are listeners; `undefined`, `null` and `false` are left out. */
export function element(name, properties = {}, ...children) {
  return fill(document.createElement(name), properties, children);
}

/** The same in SVG. */
export function graphic(name, properties = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), properties, children);
}

function fill(node, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false));
  return node;
}

/** Text that somebody else wrote: it keeps its own direction and cannot turn that of what is around it. */
export function foreign(name, text, properties = {}) {
  return element(name, { dir: "auto", ...properties, class: `foreign ${properties.class ?? ""}`.trim() }, visible(text));
}

// Unicode's controls and directional formatting characters: the daemon takes none of them in titles and messages, and what
// else a program sends shows them as what they are.
const invisible = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Shows what would not be seen. */
export function visible(text) {
  return String(text).replace(invisible, (mark) => `\\u${mark.codePointAt(0).toString(16).padStart(4, "0")}`);
}

let count = 0;

/** An id that no other element has. */
export function newID(stem) {
  count += 1;
  return `${stem}-${count}`;
}
