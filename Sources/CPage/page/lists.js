// What a line of a list says: what was asked, who asked, and the words of a search.

import { heading, objectOf } from "./answers.js";
import { element, foreign, visible } from "./elements.js";

/** The maximum length of a command in a list. */
const longest = 80;

/** Draws what was asked: the title, and beside it the command, or the passage that a search found elsewhere. */
export function what(presentation, search = "") {
  const { request } = presentation;
  const title = heading(request);
  const find = finder(search);
  let beside = command(request, title);
  if (find([title, beside ?? ""].join(" ")).length === 0) beside = passage(presentation, find) ?? beside;
  return [
    marked(title, find),
    beside ? element("span", { class: "beside" }, " ", marked(cutInMiddle(beside), find, "code")) : null];
}

/** Returns the first line of the command; `null` if there is none, or if the title contains it. */
function command(request, title) {
  const { attachments, act } = request;
  const text = (act && objectOf(act)) || attachments?.find(({ type }) => type === "command")?.text || "";
  const line = text.trimStart().split(/[\r\n]/, 1)[0];
  // A long command is cut in the title.
  return line && !title.includes([...line].slice(0, 12).join("")) ? line : null;
}

function cutInMiddle(text) {
  const letters = [...text];
  const tail = Math.floor(longest / 3);
  return letters.length <= longest ? text : `${letters.slice(0, longest - tail).join("")}…${letters.slice(-tail).join("")}`;
}

/** Draws who asked, such as "claude-code · shop · 7f3a", in the color of the agent's session. */
export function drawName(presentation) {
  return foreign("span", nameOf(presentation), { class: colorOf(sessionOf(presentation)) });
}

/** The class of a session's color; empty without a session. */
export const colorOf = (session) => (session ? `session-${color(session)}` : "");

/**
 * Groups a list by session, in the order of the groups' first prompts, as in the terminal: a user's prompts of an agent's
 * session, or without one, of an app and place.
 */
export function bySession(listed) {
  const groups = new Map();
  for (const presentation of listed) {
    const { uid, host } = presentation.requester;
    const key = JSON.stringify([host, uid, sessionOf(presentation) ?? [nameOf(presentation)]]);
    groups.set(key, [...(groups.get(key) ?? []), presentation]);
  }
  return [...groups.values()];
}

/** Returns who asked. The end of a session's id tells sessions in one directory apart, as in the terminal. */
export function nameOf(presentation) {
  const session = sessionOf(presentation);
  const directory = presentation.request.metadata?.["agent.directory"];
  const place = session || directory ? (directory ?? presentation.requester.directory ?? "").split("/").filter(Boolean).pop() : null;
  return [presentation.requester.app, place, session && [...session].slice(-4).join("")].filter(Boolean).join(" · ");
}

/** Returns the id of the agent's session. */
export const sessionOf = ({ request }) => request.metadata?.["agent.session"];

/** The number of a session's color, as in the terminal: its FNV-1a hash. */
function color(session) {
  return new TextEncoder().encode(session).reduce((hash, byte) => Math.imul(hash ^ byte, 16777619) >>> 0, 2166136261) % 6;
}

/** Returns a function that finds the words of a search in a text, as ranges in order. */
function finder(search) {
  const terms = [...search.matchAll(/(\*?)(?:"([^"]*)"|([^\s"*]+))(\*?)/g)].map(([, part, phrase, word, beginning]) => (
    { isPart: part !== "", isBeginning: beginning !== "", text: phrase ?? word }));
  return (text) => {
    const words = wordsOf(text);
    const found = terms.flatMap(({ isPart, isBeginning, text: term }) => {
      if (isPart) return term ? [...text.toLowerCase().matchAll(new RegExp(escaped(term.toLowerCase()), "g"))].map(({ index }) => [index, index + term.length]) : [];
      const wanted = wordsOf(term);
      return wanted.length === 0 ? [] : words.flatMap((first, at) => {
        const run = words.slice(at, at + wanted.length);
        const isFound = run.length === wanted.length && run.every(({ folded }, index) => (
          isBeginning && index === run.length - 1 ? folded.startsWith(wanted[index].folded) : folded === wanted[index].folded));
        return isFound ? [[first.start, run.at(-1).end]] : [];
      });
    }).sort(([left], [right]) => left - right);
    return found.filter(([start], index) => index === 0 || found[index - 1][1] <= start);
  };
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Splits a text as the daemon's index does, in lowercase and without accents. */
function wordsOf(text) {
  return [...text.matchAll(/[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{Co}\p{M}]*/gu)].map(({ 0: word, index }) => (
    { start: index, end: index + word.length, folded: word.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase() }));
}

/** Draws a text in which the found words stand out. */
function marked(text, find, name = "span") {
  const parts = [];
  let end = 0;
  for (const [start, next] of find(text)) {
    parts.push(visible(text.slice(end, start)), element("mark", {}, visible(text.slice(start, next))));
    end = next;
  }
  return element(name, { class: "foreign", dir: "auto" }, parts, visible(text.slice(end)));
}

/** Returns the line of a presentation's other texts that has the first of the words, from shortly before it. */
function passage({ request, outcome }, find) {
  const texts = [[request.message ?? "", ...(request.attachments ?? []).map(({ text }) => text)].join("\n"), ...leaves(outcome?.value), outcome?.detail, request.sheet];
  for (const text of texts.filter((text) => typeof text === "string")) {
    const [range] = find(text);
    if (!range) continue;
    const before = text.slice(0, range[0]).split("\n").pop();
    return (before.length > 20 ? "…" : "") + before.slice(-20) + text.slice(range[0]).split(/[\r\n]/, 1)[0];
  }
  return null;
}

function leaves(value) {
  if (value === null || value === undefined || typeof value === "boolean") return [];
  return typeof value === "object" ? Object.values(value).flatMap(leaves) : [String(value)];
}
