// The page: switches between views and shows the connection state.

import { surfaces } from "./api.js";
import { showCharts } from "./charts.js";
import { element, foreign } from "./elements.js";
import { follow } from "./feed.js";
import { showLog } from "./log.js";
import { NowView } from "./now.js";

const view = document.getElementById("view");
const connection = document.getElementById("connection");
const now = new NowView();
let stop;
let leave = () => {};
let isSignedOut = false;

/** The view and its argument, as in `#now/kiosk` or `#log/0193…`. */
function place() {
  const [name, ...rest] = location.hash.slice(1).split("/");
  return { name: ["log", "charts"].includes(name) ? name : "now", rest: decodeURIComponent(rest.join("/")) };
}

function show() {
  if (isSignedOut) return;
  const { name, rest } = place();
  leave();
  leave = () => {};
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === `#${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  view.dataset.view = name;
  if (name === "log") leave = showLog(view, rest);
  else if (name === "charts") leave = showCharts(view);
  else {
    attach(rest || now.surface);
    leave = now.enter(view);
  }
}

/** Attaches to a surface, whichever view is shown: new prompts appear in the title and beside "Now". */
function attach(surface) {
  if (stop && surface === now.surface) return;
  stop?.();
  now.changeSurface(surface);
  say("waiting", "connecting");
  stop = follow(surface, {
    present: (event) => now.present(event),
    withdraw: (event) => now.withdraw(event),
    queue: (event) => now.queueChanged(event.waiting),
    connected: () => {
      say("connected", surface === "main" ? "connected" : `connected to ${surface}`);
      now.connected();
    },
    lost: () => {
      say("lost", "the daemon is away; waiting for it");
      now.lost();
      // The stream cannot tell an absent daemon from an expired session, but a call can.
      surfaces().catch(() => {});
    },
  });
}

function say(state, text) {
  connection.dataset.state = state;
  connection.replaceChildren(text);
}

now.onChange = (isShown, waiting) => {
  const count = (isShown ? 1 : 0) + waiting;
  document.title = isShown ? `(${count}) Router` : "Router";
  const link = document.querySelector('nav a[href="#now"]');
  link.classList.toggle("asks", isShown);
  link.replaceChildren("Now", isShown ? element("span", { class: "badge" }, String(count), element("span", { class: "unseen" }, " open")) : "");
};

window.addEventListener("signedout", (event) => {
  isSignedOut = true;
  stop?.();
  leave();
  say("lost", "not let in");
  view.dataset.view = "signedout";
  view.replaceChildren(
    element("section", { class: "empty" },
      element("h1", {}, "This browser is not let in"),
      element("p", {}, "Its time is over, or it never opened a link. Print one with"),
      element("p", {}, element("code", {}, "routerctl web")),
      foreign("p", event.detail.message, { class: "faint" })));
});

window.addEventListener("hashchange", show);
// Switching views does not detach from the surface.
attach(place().name === "now" && place().rest ? place().rest : "main");
show();
// Detects an expired session at once, rather than at the first answer.
surfaces().then((list) => now.offerSurfaces(list.map((surface) => surface.name))).catch(() => {});
