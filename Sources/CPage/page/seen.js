// Which parts of a prompt have been on the screen, and how much of it the buttons may cover.

/** The part of the window that buttons may take to stay on the screen. */
const most = 0.4;

export class Seen {
  /** Whether all has been seen. */
  isAll = false;

  #parts;
  #foot;
  #root;
  #changed;
  #seen = new WeakSet();

  /**
   * @param parts the elements whose ends must be seen
   * @param foot the element that covers the end of the screen
   * @param root the card, which is observed until `signal` is aborted
   * @param changed called with whether all has been seen
   */
  constructor(parts, foot, root, signal, changed) {
    this.#parts = parts;
    this.#foot = foot;
    this.#root = root;
    this.#changed = changed;
    const fit = () => {
      const isTall = foot.offsetHeight > most * window.innerHeight;
      foot.classList.toggle("tall", isTall);
      // The focus never goes under the foot.
      document.documentElement.style.scrollPaddingBottom = isTall ? "" : `${foot.offsetHeight + 8}px`;
      this.#look();
    };
    const observer = new ResizeObserver(fit);
    observer.observe(root);
    observer.observe(foot);
    window.addEventListener("resize", fit, { signal });
    signal.addEventListener("abort", () => observer.disconnect());
    document.addEventListener("scroll", () => this.#look(), { signal });
    document.addEventListener("visibilitychange", () => this.#look(), { signal });
  }

  /** Changes the elements whose ends must be seen, all of which are drawn. */
  require(parts) {
    this.#parts = parts;
    this.#look();
  }

  /** Scrolls to the first part that has not been seen if nothing of it is on the screen. */
  start() {
    window.scrollTo(0, 0);
    const first = this.#parts.find((part) => !this.#seen.has(part));
    if (first && !this.shows(first)) first.scrollIntoView();
  }

  /** Whether the beginning of an element is on the screen. */
  shows(node) {
    return node.getBoundingClientRect().top + 48 <= this.#edge;
  }

  /** Scrolls on by less than what is visible. */
  readOn() {
    window.scrollBy({ top: Math.max(48, this.#edge * 0.8), behavior: "instant" });
    this.#look();
  }

  get #edge() {
    return Math.min(this.#foot.getBoundingClientRect().top, window.innerHeight);
  }

  #look() {
    if (!this.#root.isConnected || document.visibilityState !== "visible") return;
    const edge = this.#edge;
    for (const part of this.#parts) {
      const { bottom } = part.getBoundingClientRect();
      if (bottom >= 0 && bottom <= edge + 1) this.#seen.add(part);
    }
    this.isAll = this.#parts.every((part) => this.#seen.has(part));
    this.#changed(this.isAll);
  }
}
