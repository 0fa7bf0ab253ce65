// Who asks: the kernel's facts, and what the program calls itself.

import { element, foreign, newID } from "./elements.js";

/** Why an executable's path may not name the program that connected, as the daemon says it. */
const doubts = {
  otherNamespace: "in another namespace", deleted: "deleted or replaced", later: "perhaps started after connecting",
};

/** Draws one line about who asks, which opens to everything that is known. Below it, loud, is what is odd. */
export function drawAsker({ requester }, { prompt, isOtherUser }) {
  const name = /^(.+) \(uid \d+\)/.exec(prompt.asker[0].text)?.[1];
  const user = name ?? `uid ${requester.uid}${requester.host ? ` on ${requester.host}` : ""}`;
  const odd = oddities(requester, isOtherUser && user);
  const chain = callers(requester);
  const from = chain.slice(Math.max(0, chain.findIndex((caller) => !isNamed(requester.app, [caller]))));
  const id = newID("who");
  const root = element("details", { class: odd.length > 0 ? "asker odd" : "asker" },
    element("summary", { id },
      element("span", { class: "brief" }, foreign("b", user), " · ", foreign("i", requester.app, { title: "what the program calls itself" }),
        requester.directory && [" in ", foreign("span", short(requester.directory, name))],
        from.length > 0 && [" · ", foreign("span", from.join(" ← "))]),
      odd.map((text) => foreign("strong", text))),
    // The daemon's facts are separate from the program's text, which stays in its frame.
    element("dl", {},
      prompt.asker.map((fact) => element("div", { class: fact.isOwnWord ? "own" : "known" },
        element("dt", {}, fact.label), foreign("dd", fact.text)))));
  return { root, id };
}

/** Returns what is unusual about a requester, in words. */
function oddities(requester, otherUser) {
  const ancestry = requester.ancestry ?? [];
  const all = [requester, ...ancestry];
  const shell = ancestry.findIndex((process) => isShell(process));
  // Above the shell are login programs, which often are another user's.
  const near = all.slice(0, shell < 0 ? undefined : shell + 2).filter(({ pid }) => pid !== 1);
  return [
    otherUser && `Another user asks: ${otherUser}`,
    !isNamed(requester.app, all.flatMap(({ script, executable, command }) => [script, executable, command])) &&
      `Calls itself “${requester.app}”, but is ${fileName(requester.executable) ?? "a program that cannot be seen"}`,
    near.some(({ executable }) => !executable) && "Not all of the programs that ask can be seen",
    requester.executableDoubt && `The program is ${doubts[requester.executableDoubt] ?? requester.executableDoubt}`,
    ancestry.slice(1).some(({ executableDoubt }) => executableDoubt === "otherNamespace") && "A program that asks runs in another namespace",
  ].filter(Boolean);
}

/** Whether a name fits one of the paths: a part of the path begins with it, or it begins with the part. */
function isNamed(app, paths) {
  const plain = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  const name = plain(app);
  const parts = paths.filter(Boolean).flatMap((path) => path.split("/")).map(plain).filter((part) => part.length > 1);
  return name !== "" && parts.some((part) => part.startsWith(name) || name.startsWith(part));
}

const fileName = (path) => path?.split("/").pop();

function isShell({ script, executable }) {
  return !script && ["sh", "bash", "dash", "ash", "zsh", "fish", "ksh"].includes(fileName(executable));
}

/** Returns a path with the user's home directory as `~`. */
function short(path, name) {
  const home = name === "root" ? "/root" : `/home/${name}`;
  return name && `${path}/`.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

/** Describes an executable, with the doubt if there is one. */
export function program({ executable, executableDoubt: doubt }) {
  return executable && doubt ? `${executable} (${doubts[doubt] ?? doubt})` : executable;
}

/** Returns the programs that asked, nearest first, without Router's own and the init process, as the daemon does. */
export function callers({ ancestry = [] }) {
  const names = ancestry.map(({ pid, script, executable, command, executableDoubt: doubt }) => (pid === 1 ? null
    : fileName(script ?? executable ?? command ?? "?") + (doubt === "otherNamespace" ? ` (${doubts[doubt]})` : "")));
  const start = names.findIndex((name) => name !== "routerctl");
  const end = names.indexOf(null);
  const chain = start < 0 ? [] : names.slice(start, end < 0 ? undefined : end);
  return chain.filter((name, index) => name !== chain[index - 1]);
}
