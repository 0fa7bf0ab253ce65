// The event stream of a surface. While it is open, the page is attached as a presenter.

const shortest = 250;
const longest = 5000;

/**
 * Attaches to a surface's stream, and reconnects until it is stopped.
 *
 * @param surface the surface's name
 * @param on callbacks: `present`, `withdraw`, `queue` and `progress` with the event's data; `connected` and `lost` without arguments
 * @returns a function that detaches
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
    for (const name of ["present", "withdraw", "queue", "progress"]) {
      source.addEventListener(name, (event) => on[name](JSON.parse(event.data)));
    }
    source.onerror = () => {
      // EventSource stops reconnecting after a response that is not a stream, such as an error, so reconnect here.
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
