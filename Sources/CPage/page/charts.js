// Charts of the log. Each chart has a table with the same figures for screen readers.

import { counts, endings } from "./answers.js";
import * as api from "./api.js";
import { element, foreign, graphic, newID } from "./elements.js";
import { duration } from "./times.js";

const kinds = Object.keys(endings);
const spans = { "the last day": 86400, "the last week": 604800, "the last month": 2592000, "all time": undefined };
/** The maximum number of hourly bars; longer spans are shown by day. */
const mostHours = 72;
const mostApps = 12;

/** Shows the charts in a view. Returns a function that leaves the view. */
export function showCharts(view) {
  let turn = 0;
  const span = element("select", { id: newID("span"), onchange: () => load() },
    Object.keys(spans).map((name) => element("option", { value: name, selected: name === "the last week" }, name)));
  const said = element("p", { class: "faint", role: "status" });
  const charts = element("div", { class: "charts" });

  async function load() {
    turn += 1;
    const own = turn;
    const seconds = spans[span.value];
    try {
      const stats = await api.stats(seconds ? { since: new Date(Date.now() - 1000 * seconds).toISOString() } : {});
      if (own !== turn) return;
      said.replaceChildren(words(stats));
      charts.replaceChildren(...(stats.total.count === 0 ? [] : [overTime(stats), byApp(stats), times(stats)]));
    } catch (problem) {
      if (own === turn) said.replaceChildren(problem.message);
    }
  }

  view.replaceChildren(
    element("section", {},
      element("div", { class: "row" }, element("h1", {}, "Charts"),
        element("div", { class: "field" }, element("label", { for: span.id, class: "unseen" }, "From"), span)),
      said, charts));
  load();
  return () => {
    turn += 1;
  };
}

function words({ total, open }) {
  const all = total.count + open;
  return `${all === 0 ? "No" : number(all)} ${all === 1 ? "prompt" : "prompts"}${open === 0 ? "" : `, ${number(open)} open`}`;
}

function number(value) {
  return value.toLocaleString();
}

/** A chart of presentations and their outcomes by hour or, for longer spans, by day. */
function overTime(stats) {
  const isHourly = stats.hours.length <= mostHours && spread(stats.hours) <= mostHours;
  const groups = isHourly ? everyHour(stats.hours) : everyDay(stats.hours);
  const [height, left, bottom] = [240, 44, 28];
  const most = Math.max(1, ...groups.map((group) => group.count));
  const scale = (height - bottom - 10) / most;
  return figure(`Prompts by ${isHourly ? "hour" : "day"} and outcome`, "wide",
    chart(height, (width) => {
      const step = (width - left) / groups.length;
      const wide = Math.min(48, Math.max(1, step * 0.8));
      // As many labels as do not touch.
      const every = Math.ceil(groups.length / Math.max(1, Math.floor((width - left) / (isHourly ? 52 : 88))));
      return [
        ticks(most).map((tick) => {
          const y = height - bottom - tick * scale;
          return [graphic("line", { class: "grid", x1: left, x2: width, y1: y, y2: y }),
            graphic("text", { x: left - 6, y: y + 4, "text-anchor": "end" }, number(tick))];
        }),
        groups.map((group, index) => {
          let y = height - bottom;
          const x = left + index * step + (step - wide) / 2;
          const bars = parts(group).map(([kind, count]) => {
            y -= count * scale;
            return graphic("rect", { class: kind, x, y, width: wide, height: count * scale },
              graphic("title", {}, `${group.label}: ${count} ${endings[kind]}`));
          });
          const label = index % every === 0 ? graphic("text", { x: x + wide / 2, y: height - 10, "text-anchor": "middle" }, group.label) : null;
          return [bars, label];
        })];
    }),
    legend(stats),
    table([isHourly ? "Hour" : "Day", ...Object.values(endings)], groups.filter((group) => group.count > 0).map((group) => [group.label, ...figures(group)])));
}

/** The kinds of endings that a group has, and how many of each. */
function parts(group) {
  const all = counts(group);
  return kinds.filter((kind) => all[kind]).map((kind) => [kind, all[kind]]);
}

function figures(group) {
  const all = counts(group);
  return kinds.map((kind) => number(all[kind] ?? 0));
}

function spread(hours) {
  return hours.length === 0 ? 0 : (Date.parse(hours.at(-1).hour) - Date.parse(hours[0].hour)) / 3600000 + 1;
}

/** Fills in the hours without ended presentations, so that gaps are visible. */
function everyHour(hours) {
  const found = new Map(hours.map((hour) => [Date.parse(hour.hour), hour]));
  const first = Date.parse(hours[0].hour);
  return Array.from({ length: spread(hours) }, (_, index) => {
    const time = first + index * 3600000;
    const label = new Date(time).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    return { count: 0, outcomes: {}, ...found.get(time), label };
  });
}

/** Adds up the hours of each day in the reader's time zone. */
function everyDay(hours) {
  const days = new Map();
  for (const { hour, count, outcomes, answers = {} } of hours) {
    const date = new Date(hour);
    const label = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
    const day = days.get(label) ?? { label, count: 0, outcomes: {}, answers: {} };
    day.count += count;
    for (const [key, value] of Object.entries(outcomes)) day.outcomes[key] = (day.outcomes[key] ?? 0) + value;
    for (const [key, value] of Object.entries(answers)) day.answers[key] = (day.answers[key] ?? 0) + value;
    days.set(label, day);
  }
  return [...days.values()];
}

/** Returns about four round axis values up to the maximum. */
function ticks(most) {
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough));
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => index * step);
}

function legend(stats) {
  return element("ul", { class: "legend" }, parts(stats.total).map(([kind, count]) =>
    element("li", {}, element("i", { class: kind }), `${endings[kind]} ${number(count)}`)));
}

/** A chart of the most frequent requesters and the outcomes of their requests. */
function byApp(stats) {
  const apps = stats.apps.slice(0, mostApps);
  const [row, left] = [26, 150];
  const most = Math.max(1, ...apps.map((app) => app.count));
  return figure("By app", "",
    chart(apps.length * row + 4, (width) => apps.map((app, index) => {
      let x = left;
      const y = index * row + 4;
      const scale = (width - left - 60) / most;
      return [
        graphic("text", { class: "value", x: left - 8, y: y + 14, "text-anchor": "end" }, shortened(app.app, 20)),
        parts(app).map(([kind, count]) => {
          x += count * scale;
          return graphic("rect", { class: kind, x: x - count * scale, y, width: count * scale, height: row - 8 },
            graphic("title", {}, `${app.app}: ${count} ${endings[kind]}`));
        }),
        graphic("text", { x: x + 6, y: y + 14 }, number(app.count)),
      ];
    })),
    table(["App", "All", ...Object.values(endings)], apps.map((app) => [foreign("span", app.app), number(app.count), ...figures(app)])));
}

/** A chart of the times until a prompt was seen and until it was answered, on a logarithmic scale. */
function times(stats) {
  const names = { p50: "median", p90: "90th percentile", p99: "99th percentile" };
  const rows = ["waited", "shown"].flatMap((phase) =>
    Object.entries(names).map(([key, name]) => ({ phase, name, value: stats.total[phase]?.[key] })));
  const [row, left] = [26, 180];
  const most = Math.max(1, ...rows.map((entry) => entry.value ?? 0));
  // The scale starts at one millisecond.
  const share = (value) => Math.log10(Math.max(1, value * 1000)) / Math.log10(most * 1000);
  return figure("Time waiting and shown", "",
    chart(rows.length * row + 4, (width) => rows.map((entry, index) => {
      const y = index * row + 4;
      const wide = entry.value === undefined ? 0 : Math.max(1, share(entry.value) * (width - left - 70));
      return [
        graphic("text", { class: "value", x: left - 8, y: y + 14, "text-anchor": "end" }, `${entry.phase}: ${entry.name}`),
        graphic("rect", { class: "bar", x: left, y, width: wide, height: row - 8 }),
        graphic("text", { x: left + wide + 6, y: y + 14 }, entry.value === undefined ? "—" : duration(entry.value)),
      ];
    })),
    table(["", ...Object.values(names)], ["waited", "shown"].map((phase) => [phase, ...Object.keys(names).map((key) => {
      const value = stats.total[phase]?.[key];
      return value === undefined ? "—" : duration(value);
    })])));
}

/** The least width at which there is room for bars beside their names. */
const leastWidth = 280;

/** A picture that is drawn again for each width that it gets, so that its text keeps its size. */
function chart(height, draw) {
  const svg = graphic("svg", { class: "chart", height, "aria-hidden": "true" });
  new ResizeObserver(([{ contentRect }]) => {
    const width = Math.max(leastWidth, contentRect.width);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.replaceChildren(...draw(width).flat(Infinity).filter(Boolean));
  }).observe(svg);
  return svg;
}

function shortened(text, length) {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

function figure(caption, kind, ...children) {
  return element("figure", { class: kind }, element("figcaption", {}, caption),
    children.map((child) => (typeof child === "function" ? child(caption) : child)));
}

/** Returns a collapsible table of a chart's figures, named by the chart's caption. */
function table(heading, rows) {
  return (caption) => element("details", {}, element("summary", {}, "Table"),
    element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `${caption}: table` },
      element("table", {},
        element("thead", {}, element("tr", {}, heading.map((name) => element("th", { scope: "col" }, name)))),
        element("tbody", {}, rows.map(([first, ...rest]) => element("tr", {}, element("th", { scope: "row" }, first), rest.map((cell) => element("td", { class: "figure" }, cell))))))));
}
