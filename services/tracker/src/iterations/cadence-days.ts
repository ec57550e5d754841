/* Days are texts, `YYYY-MM-DD`, in UTC. */

const DAY_MS = 86_400_000;

const numberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS;
const textOf = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10);

/** Behind this no day has a text of the same form. */
const LAST_DAY = numberOf('9999-12-31');

interface Span {
  startDate: string;
  dueDate: string;
}

interface Schedule {
  startDate: string;
  durationInWeeks: number;
  iterationsInAdvance: number;
}

/**
 * The iterations that a cadence lacks: until so many are upcoming besides the current one. Each begins when the one before
 * is over. What would be over already is left out, however long nobody looked.
 */
export function missingSpans(
  { startDate, durationInWeeks, iterationsInAdvance }: Schedule,
  there: readonly Span[],
  today: string,
): Span[] {
  const length = durationInWeeks * 7;
  const now = numberOf(today);
  let first = Math.max(numberOf(startDate), ...there.map(({ dueDate }) => numberOf(dueDate) + 1));
  if (first + length <= now) first += Math.floor((now - first) / length) * length;
  const upcoming = there.filter(({ startDate }) => startDate > today).length;
  const spans: Span[] = [];
  for (let more = iterationsInAdvance - upcoming; first + length - 1 <= LAST_DAY; first += length) {
    if (first > now && --more < 0) break;
    spans.push({ startDate: textOf(first), dueDate: textOf(first + length - 1) });
  }
  return spans;
}
