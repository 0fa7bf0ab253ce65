// The page: switches between views and shows the connection state.

import { surfaces } from "./api.js";
import { showCharts } from "./charts.js";
import { element } from "./elements.js";
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
    progress: (event) => now.progress(event),
    connected: () => {
      say("connected", surface === "main" ? "connected" : `connected to ${surface}`);
      now.connected();
    },
    lost: () => {
      say("lost", "no connection to routerd; reconnecting");
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

now.onChange = (count) => {
  const link = document.querySelector('nav a[href="#now"]');
  link.classList.toggle("asks", count > 0);
  link.replaceChildren("Now", count > 0 ? element("span", { class: "badge" }, String(count), element("span", { class: "unseen" }, " open")) : "");
};

window.addEventListener("signedout", () => {
  isSignedOut = true;
  stop?.();
  leave();
  say("lost", "not logged in");
  view.dataset.view = "signedout";
  document.querySelector("nav").hidden = true;
  view.replaceChildren(
    element("section", { class: "empty" },
      element("h1", {}, "Not logged in"),
      element("p", {}, "Your session has ended, or this browser has not logged in. To log in, run this in a terminal:"),
      element("p", {}, element("code", {}, "routerctl web --open"))));
});

const keys = document.getElementById("keys");
for (const button of document.querySelectorAll(".keys-opener")) button.addEventListener("click", () => keys.showModal());
keys.querySelector("button").addEventListener("click", () => keys.close());
document.addEventListener("keydown", (event) => {
  if (event.key !== "?" || event.ctrlKey || event.metaKey || event.target.closest?.("input, select, textarea")) return;
  if (keys.open) keys.close();
  else keys.showModal();
});

window.addEventListener("hashchange", show);
// Switching views does not detach from the surface.
attach(place().name === "now" && place().rest ? place().rest : "main");
show();
// Detects an expired session at once, rather than at the first answer.
surfaces().then((list) => now.offerSurfaces(list.map((surface) => surface.name))).catch(() => {});
