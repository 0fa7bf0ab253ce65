// Announces a prompt to a person who looks elsewhere, with a notification, a sound and the tab's icon. The browser's permission
// is requested only after a click.

import { element, visible } from "./elements.js";

const icon = document.querySelector('link[rel="icon"]');

export class Alerts {
  root;
  #said = element("span", { class: "faint", role: "status" });
  #audio;
  #notification;

  constructor() {
    this.root = element("p", { class: "alerts" },
      toggle("Notifications", "notify", () => this.#allow()),
      toggle("Sound", "sound", () => this.#play()),
      this.#said);
  }

  /** Announces a new prompt. */
  tell(prompt) {
    if (isOn("sound")) this.#play();
    this.clear();
    if (!isOn("notify") || Notification.permission !== "granted" || document.hasFocus()) return;
    // The kernel's facts come first, as on the page.
    const [asker] = prompt.asker;
    try {
      this.#notification = new Notification(visible(`${asker.label} ${asker.text}`), { body: visible(prompt.heading), icon: "/icon.svg", tag: "router" });
    } catch {
      // Browsers on phones show notifications only from service workers.
      return;
    }
    this.#notification.onclick = () => window.focus();
  }

  /** Removes the notification. */
  clear() {
    this.#notification?.close();
    this.#notification = undefined;
  }

  showCount(count) {
    document.title = count > 0 ? `(${count}) Router` : "Router";
    const wanted = count > 0 ? "/icon-asks.svg" : "/icon.svg";
    if (icon.getAttribute("href") !== wanted) icon.setAttribute("href", wanted);
  }

  async #allow() {
    const answer = "Notification" in window ? await Notification.requestPermission() : "denied";
    this.#said.replaceChildren(answer === "granted" ? "" : "Notifications are not allowed. Allow them in this browser's site settings.");
    return answer === "granted";
  }

  /** Plays two notes. Browsers allow sound only after a click. */
  #play() {
    this.#audio ??= new AudioContext();
    this.#audio.resume();
    for (const [pitch, delay] of [[660, 0], [880, .13]]) {
      const start = this.#audio.currentTime + delay;
      const note = this.#audio.createOscillator();
      const volume = this.#audio.createGain();
      note.frequency.value = pitch;
      volume.gain.setValueAtTime(.1, start);
      volume.gain.exponentialRampToValueAtTime(.001, start + .25);
      note.connect(volume).connect(this.#audio.destination);
      note.start(start);
      note.stop(start + .25);
    }
    return true;
  }
}

const isOn = (name) => localStorage.getItem(name) === "on";

/** A switch whose state this browser stores; `turnOn` returns whether it may be turned on. */
function toggle(label, name, turnOn) {
  const button = element("button", { type: "button", class: "toggle", "aria-pressed": String(isOn(name)), onclick: async () => {
    const on = !isOn(name) && (await turnOn());
    localStorage.setItem(name, on ? "on" : "off");
    button.setAttribute("aria-pressed", String(on));
  } }, label);
  return button;
}
