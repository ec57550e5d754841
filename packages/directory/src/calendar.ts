const DAY_MS = 86_400_000;

const dayOf = (date: Date): string => date.toISOString().slice(0, 'YYYY-MM-DD'.length);

/** The UTC day as `YYYY-MM-DD`. */
export const today = ({ clock }: { clock: () => Date }): string => dayOf(clock());

/** Returns the UTC day as `YYYY-MM-DD`; formatted once a day, because every request asks. */
export function createCalendar(clock: () => Date): () => string {
  let day = Number.NaN;
  let text = '';
  return () => {
    const now = Math.floor(clock().getTime() / DAY_MS);
    if (now !== day) {
      day = now;
      text = dayOf(new Date(now * DAY_MS));
    }
    return text;
  };
}
