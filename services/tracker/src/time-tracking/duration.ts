/** Working time: a month has 4 weeks, a week 5 days, a day 8 hours. Seconds by unit, the largest first. */
const UNITS = [
  ['mo', 576_000],
  ['w', 144_000],
  ['d', 28_800],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const;

const SECONDS = new Map<string, number>(
  Object.entries({
    mo: ['mo', 'mos', 'month', 'months'],
    w: ['w', 'wk', 'wks', 'week', 'weeks'],
    d: ['d', 'day', 'days'],
    h: ['h', 'hr', 'hrs', 'hour', 'hours'],
    m: ['m', 'min', 'mins', 'minute', 'minutes'],
    s: ['s', 'sec', 'secs', 'second', 'seconds'],
  }).flatMap(([unit, words]) =>
    words.map((word) => [word, UNITS.find(([name]) => name === unit)![1]] as const),
  ),
);

const PART = /\s*(\d{1,12}(?:\.\d{1,6})?)\s*([a-z]+)?(?:(?:\s*,|\s+and\b)(?=\s*\d))?/y;

/**
 * Seconds of a duration as people write it: `3h30m`, `1mo 2w 3d`, `1.5 hours`, `-30m`. A number alone is hours.
 * @returns null for what is no duration
 */
export function parseDuration(text: string): number | null {
  const lower = text.trim().toLowerCase();
  const negative = lower.startsWith('-');
  const body = negative ? lower.slice(1).trim() : lower;
  if (body === '') return null;
  let seconds = 0;
  PART.lastIndex = 0;
  for (let at = 0; at < body.length; at = PART.lastIndex) {
    const part = PART.exec(body);
    if (!part) return null;
    const unit = SECONDS.get(part[2] ?? 'h');
    if (unit === undefined) return null;
    seconds += Number(part[1]) * unit;
  }
  const whole = Math.round(seconds);
  return negative && whole !== 0 ? -whole : whole;
}

/** `1w 2d 3h`; null for nothing [L69]. */
export function humanDuration(seconds: number): string | null {
  if (seconds === 0) return null;
  const parts: string[] = [];
  let rest = seconds;
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    if (count > 0) parts.push(`${count}${unit}`);
    rest -= count * size;
  }
  return parts.join(' ');
}
