// The API calls of the page.

/** An error response of the daemon (RFC 9457). */
export class Problem extends Error {
  constructor(status, body) {
    super(body?.detail ?? body?.title ?? `HTTP ${status}`);
    this.status = status;
    this.code = body?.code;
    this.field = body?.field;
    this.outcome = body?.outcome;
  }
}

async function call(path, options = {}) {
  let response;
  try {
    response = await fetch(path, { cache: "no-store", credentials: "same-origin", ...options });
  } catch {
    throw new Problem(0, { detail: "cannot reach routerd; the page reconnects automatically" });
  }
  const body = await response.json().catch(() => null);
  if (!response.ok) {
    const problem = new Problem(response.status, body);
    if (response.status === 401) window.dispatchEvent(new CustomEvent("signedout", { detail: problem }));
    throw problem;
  }
  return body;
}

function post(path, text) {
  return call(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: text });
}

const presentation = (id) => `/v1/presentations/${encodeURIComponent(id)}`;

export const surfaces = async () => (await call("/v1/surfaces")).surfaces;
/** Returns whether Router is `off`, and `until` when. */
export const switched = () => call("/v1/switch");
/** Returns the paused sessions of a surface. */
export const pauses = async (surface) => (await surfaces()).find(({ name }) => name === surface)?.pauses ?? [];
export const prompt = (id) => call(`${presentation(id)}/prompt`);
export const queue = async (surface, limit) =>
  (await call(`/v1/presentations?state=queued&limit=${limit}&surface=${encodeURIComponent(surface)}`)).presentations;
/** Returns the presentations that can be answered together with one, in queue order. */
export const like = async (id) => (await call(`/v1/presentations?like=${id}&limit=50`)).presentations;
export const check = (id, fields) => post(`${presentation(id)}/check`, JSON.stringify({ fields }));

/** Answers with a button. `extra` has `remember`, `also` and `comment`, each as in the API or `undefined`. */
export const press = (id, generation, button, extra) =>
  post(`${presentation(id)}/answer`, JSON.stringify({ button, generation, ...extra }));

/** Answers with a value in JSON text. Parsing and serializing it again would lose digits of long numbers. */
export const submit = (id, generation, json, comment) => {
  const rest = JSON.stringify({ generation, comment });
  return post(`${presentation(id)}/answer`, `${rest.slice(0, -1)},"value":${json}}`);
};

/** Does something to a prompt: `dismiss`, `snooze`, `pause` or `raise`, with the members that the API has for it. */
export const act = (id, verb, body = {}) => post(`${presentation(id)}/${verb}`, JSON.stringify(body));
export const resume = (id) => call(`${presentation(id)}/pause`, { method: "DELETE" });

/** Returns the remembered answers in force, fetched page by page. */
export const grants = async () => {
  const all = [];
  let cursor;
  do {
    const page = await call(`/v1/grants?limit=1000${cursor ? `&cursor=${cursor}` : ""}`);
    all.push(...page.grants);
    cursor = page.next;
  } while (cursor);
  return all;
};
export const revoke = (id) => call(`/v1/grants/${encodeURIComponent(id)}`, { method: "DELETE" });

export const rules = () => call("/v1/rules");

/** Returns a query with spaces as the daemon reads them: a plus sign is itself. */
const query = (filters) => new URLSearchParams(filters).toString().replaceAll("+", "%20");

export const log = (filters) => call(`/v1/log?${query(filters)}`);

/** Returns all events of a presentation, fetched page by page. */
export const events = async (id) => {
  const all = [];
  let cursor;
  do {
    const page = await call(`/v1/log/${encodeURIComponent(id)}?limit=1000${cursor ? `&cursor=${cursor}` : ""}`);
    all.push(...page.events);
    cursor = page.next;
  } while (cursor);
  return all;
};

export const stats = (filters) => call(`/v1/log/stats?${query(filters)}`);
