// The daemon's rules in force, below the remembered answers and the log.

import * as api from "./api.js";
import { element, foreign } from "./elements.js";
import { moment } from "./times.js";

/** Returns a list of the rules, which stays hidden without any, or for users who may not see them. */
export function rulesList() {
  const root = element("details", { class: "rules", hidden: true });
  api.rules().then(({ file, rules, pending, problem }) => {
    root.hidden = rules.length === 0 && !pending && !problem;
    root.replaceChildren(
      element("summary", {}, rules.length === 1 ? "1 rule" : `${rules.length} rules`),
      problem ? element("p", { class: "error" }, foreign("span", problem)) : "",
      pending ? element("p", {}, "The file has changed. It counts once somebody has confirmed routerd's prompt.") : "",
      element("ol", {}, rules.map(({ id, then, matched, last }) => element("li", {},
        foreign("b", id), ` ${then} `,
        element("span", { class: "faint" }, `${matched} in 30 days${last ? `, last ${moment(last)}` : ""}`)))),
      element("p", { class: "faint" }, foreign("span", file)));
  }).catch(() => {});
  return root;
}
