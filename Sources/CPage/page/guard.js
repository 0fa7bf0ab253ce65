// The guard of a prompt, which ignores keys and clicks that may have been meant for what was shown before. The terminal has the
// same rule: InputGuard.swift.

/** How long a prompt that appears by itself is guarded, in milliseconds. */
const short = 500;
/** The same for one that appears within a second of a key or of another prompt. */
export const long = 1000;
/** An ignored key or click starts the long guard again, but not beyond this time. */
const most = 2000;
/** How long no key may have been pressed, and nothing clicked, before it ends. */
const quiet = 300;

let lastKey = -Infinity;
document.addEventListener("keydown", () => {
  lastKey = performance.now();
}, { capture: true });

export class Guard {
  isOver = false;

  #root;
  #done;
  #timer;
  #start;
  #end = 0;

  /**
   * @param root the element that gets the class `arming` while the guard lasts, for its animation
   * @param done called when the guard ends
   */
  constructor(root, done) {
    this.#root = root;
    this.#done = done;
  }

  /** Starts the guard; `isReplacing` if another prompt was shown just before. */
  start(isReplacing) {
    this.#start = performance.now();
    this.isOver = false;
    const length = isReplacing || this.#start - lastKey < long ? long : short;
    this.#last(Math.max(length, this.#end - this.#start));
  }

  /** Restarts the guard because of an ignored key or click. */
  drop() {
    const now = performance.now();
    this.#last(Math.max(Math.min(long, this.#start + most - now), quiet));
  }

  stop() {
    clearTimeout(this.#timer);
  }

  #last(duration) {
    clearTimeout(this.#timer);
    this.#end = performance.now() + duration;
    this.#timer = setTimeout(() => {
      this.isOver = true;
      this.#root.classList.remove("arming");
      this.#done();
    }, duration);
    this.#root.classList.remove("arming");
    // Reading a layout property forces a reflow, which restarts the animation.
    void this.#root.offsetWidth;
    this.#root.style.setProperty("--arming", `${duration}ms`);
    this.#root.classList.add("arming");
  }
}
