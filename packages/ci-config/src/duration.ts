const SECOND = 1;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const MONTH = 30 * DAY;
const YEAR = 365.25 * DAY;

const UNITS = new Map(
  Object.entries({
    s: SECOND,
    sec: SECOND,
    secs: SECOND,
    second: SECOND,
    seconds: SECOND,
    m: MINUTE,
    min: MINUTE,
    mins: MINUTE,
    minute: MINUTE,
    minutes: MINUTE,
    h: HOUR,
    hr: HOUR,
    hrs: HOUR,
    hour: HOUR,
    hours: HOUR,
    d: DAY,
    day: DAY,
    days: DAY,
    w: WEEK,
    wk: WEEK,
    wks: WEEK,
    week: WEEK,
    weeks: WEEK,
    mo: MONTH,
    mos: MONTH,
    month: MONTH,
    months: MONTH,
    y: YEAR,
    yr: YEAR,
    yrs: YEAR,
    year: YEAR,
    years: YEAR,
  }),
);

const LONGEST = 100;
const PART = /^(\d{1,9}(?:\.\d{1,9})?)\s*([a-z]*)[\s,]*(?:and\s+)?/;
const CLOCK = /^(?:(\d{1,6}):)?(\d{1,6}):(\d{1,6})$/;

export const DURATIONS = { WEEK, MONTH } as const;

/** Reads `1h 30m`, `2 weeks and 1 day`, `1:30:00` or plain seconds. @returns whole seconds, or null */
export function parseDuration(written: string): number | null {
  let text = written.trim().toLowerCase();
  if (text === '' || text.length > LONGEST) return null;
  const clock = CLOCK.exec(text);
  if (clock) return Number(clock[1] ?? 0) * HOUR + Number(clock[2]) * MINUTE + Number(clock[3]);
  let seconds = 0;
  while (text !== '') {
    const [part, amount, unit] = PART.exec(text) ?? [];
    const length = unit === '' ? SECOND : UNITS.get(unit ?? '-');
    if (part === undefined || length === undefined) return null;
    seconds += Number(amount) * length;
    text = text.slice(part.length);
  }
  return Math.round(seconds);
}
