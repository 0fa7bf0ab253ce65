// Formats times and durations.

/** Formats a duration as "12 s", "3 min", "2 h" or "5 d". */
export function duration(seconds) {
  const value = Math.max(0, seconds);
  if (value < 1) return `${Math.round(value * 1000)} ms`;
  if (value < 10) return `${value.toFixed(1)} s`;
  if (value < 90) return `${Math.round(value)} s`;
  if (value < 5400) return `${Math.round(value / 60)} min`;
  if (value < 129600) return `${Math.round(value / 3600)} h`;
  return `${Math.round(value / 86400)} d`;
}

/** Formats a duration without fractions, for counters that update live. */
export function whole(seconds) {
  const value = Math.max(0, Math.floor(seconds));
  if (value < 90) return `${value} s`;
  if (value < 3600) return `${Math.floor(value / 60)} min ${value % 60} s`;
  return duration(value);
}

const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });

/** Formats a date as its time if it is today, otherwise with the day. */
export function moment(text) {
  const date = new Date(text);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? clock.format(date) : `${day.format(date)} ${clock.format(date)}`;
}

/** Formats a date as its time in hours and minutes if it is today, otherwise with the day. */
export function minute(text) {
  const date = new Date(text);
  return moment(date).replace(/:\d\d$/, "");
}

/** Returns the seconds from one RFC 3339 time to another, or to now. */
export function between(start, end) {
  return ((end ? Date.parse(end) : Date.now()) - Date.parse(start)) / 1000;
}

/** Formats a number as "1st", "2nd" or "11th". */
export function ordinal(number) {
  const rest = number % 100;
  const ending = rest > 10 && rest < 14 ? "th" : (["th", "st", "nd", "rd"][number % 10] ?? "th");
  return `${number}${ending}`;
}
