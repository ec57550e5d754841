const DAY_MS = 86_400_000;

/** Returns the UTC day as `YYYY-MM-DD`; formatted once a day, because every request asks. */
export function createCalendar(clock: () => Date): () => string {
  let day = Number.NaN;
  let text = '';
  return () => {
    const now = Math.floor(clock().getTime() / DAY_MS);
    if (now !== day) {
      day = now;
      text = new Date(now * DAY_MS).toISOString().slice(0, 10);
    }
    return text;
  };
}
