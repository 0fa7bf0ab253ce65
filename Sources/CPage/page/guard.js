// The guard of a prompt, which ignores keys and clicks that may have been meant for what was shown before.

/** How long a prompt is guarded, in milliseconds. */
const short = 250;
/** The same for a prompt that replaces another, or that comes up while keys arrive. */
const long = 1000;
/** The most that ignored keys and clicks can restart it for. */
const most = 2000;
/** How long no key may have arrived when it ends. */
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
