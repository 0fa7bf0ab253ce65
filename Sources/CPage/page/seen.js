// Which parts of a prompt have been on the screen.

export class Seen {
  #parts;
  #foot;
  #changed;

  /**
   * @param parts the elements whose ends must be seen
   * @param foot the element that covers the end of the screen
   * @param root the card, which is observed until `signal` is aborted
   * @param changed called with whether all has been seen
   */
  constructor(parts, foot, root, signal, changed) {
    this.#parts = parts;
    this.#foot = foot;
    this.#changed = changed;
    const observer = new ResizeObserver(() => this.#look(root));
    observer.observe(root);
    signal.addEventListener("abort", () => observer.disconnect());
    document.addEventListener("scroll", () => this.#look(root), { signal });
    document.addEventListener("visibilitychange", () => this.#look(root), { signal });
  }

  /** Scrolls to the first part if nothing of it is on the screen. */
  start() {
    window.scrollTo(0, 0);
    const [first] = this.#parts;
    if (first && first.getBoundingClientRect().top + 48 > this.#edge) first.scrollIntoView();
  }

  get #edge() {
    return Math.min(this.#foot.getBoundingClientRect().top, window.innerHeight);
  }

  #look(root) {
    if (!root.isConnected || document.visibilityState !== "visible") return;
    const edge = this.#edge;
    this.#parts = this.#parts.filter((part) => {
      const { bottom } = part.getBoundingClientRect();
      return bottom < 0 || bottom > edge + 1;
    });
    this.#changed(this.#parts.length === 0);
  }
}
