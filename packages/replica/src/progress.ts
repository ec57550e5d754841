import type { PublishedEvent } from './published-event.ts';

/** Tells people how far the replica is. */
export interface Progress {
  add(events: readonly PublishedEvent[], hasCaughtUp: boolean): void;
  say(text: string): void;
}

const EVERY_MS = 1_000;
const number = new Intl.NumberFormat('en');

/** @param count events that are in the tables already */
export function createProgress(write: (line: string) => void, count: number): Progress {
  let total = count;
  let since = { at: performance.now(), total };
  let isSaid = false;

  function tell(time: string | undefined, end: string): void {
    const now = performance.now();
    const rate = Math.round(((total - since.total) / Math.max(1, now - since.at)) * 1000);
    write(
      `${number.format(total)} events, ${number.format(rate)} a second${time ? `, up to ${time}` : ''}${end}`,
    );
    since = { at: now, total };
  }

  return {
    add(events, hasCaughtUp) {
      total += events.length;
      const time = events.at(-1)?.time;
      const isDue = performance.now() - since.at >= EVERY_MS;
      if (hasCaughtUp ? !isSaid || events.length > 0 : isDue && events.length > 0)
        tell(time, hasCaughtUp ? ': caught up' : '');
      isSaid = hasCaughtUp;
    },
    say: write,
  };
}
