// A surface's stream. As long as it is open, the page is one of the surface's presenters.

const shortest = 250;
const longest = 5000;

/**
 * Follows a surface until it is stopped, and comes back by itself when the daemon does.
 *
 * @param surface the surface's name
 * @param on `present`, `withdraw` and `queue` with the event's data; `connected` and `lost` with nothing
 * @returns a function that stops it
 */
export function follow(surface, on) {
  let source;
  let timer;
  let wait = shortest;
  let isOpen = false;
  let isStopped = false;

  function open() {
    source = new EventSource(`/v1/surfaces/${encodeURIComponent(surface)}/stream?name=page`);
    source.onopen = () => {
      wait = shortest;
      isOpen = true;
      on.connected();
    };
    for (const name of ["present", "withdraw", "queue"]) {
      source.addEventListener(name, (event) => on[name](JSON.parse(event.data)));
    }
    source.onerror = () => {
      // The browser's own way to come back gives up after a response that is no stream, such as one that says "not yet".
      source.close();
      if (isOpen) on.lost();
      isOpen = false;
      if (isStopped) return;
      timer = setTimeout(open, wait);
      wait = Math.min(2 * wait, longest);
    };
  }

  open();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    source.close();
  };
}
