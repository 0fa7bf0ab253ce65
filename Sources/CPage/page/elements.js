// Helpers that build DOM elements. Text is never parsed as markup.

/** Creates an element. Properties named `on…` are listeners; `undefined`, `null` and `false` are omitted. */
export function element(name, properties = {}, ...children) {
  return fill(document.createElement(name), properties, children);
}

/** Creates an SVG element. */
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

/** Creates an element for untrusted text, isolated so that its direction does not affect the surrounding text. */
export function foreign(name, text, properties = {}) {
  return element(name, { dir: "auto", ...properties, class: `foreign ${properties.class ?? ""}`.trim() }, visible(text));
}

// Unicode control and directional formatting characters. The daemon rejects them in titles and messages; in other untrusted
// text they are shown escaped.
const invisible = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Escapes invisible characters. */
export function visible(text) {
  return String(text).replace(invisible, (mark) => `\\u${mark.codePointAt(0).toString(16).padStart(4, "0")}`);
}

let count = 0;

/** Returns a unique element id. */
export function newID(stem) {
  count += 1;
  return `${stem}-${count}`;
}
