import { ownTurn } from './own-turn.ts';

export interface PartsOptions {
  /** Milliseconds that a part may hold the event loop. */
  turnMs?: number;
  first?: number;
  longest?: number;
}

const TURN_MS = 50;
const FIRST = 64;
const SHORTEST = 4;
const LONGEST = 1000;

/** Lets requests be answered between parts of a long list. Learns how long a part may be, which depends on the store. */
export function createParts({ turnMs = TURN_MS, first = FIRST, longest = LONGEST }: PartsOptions = {}) {
  let length = Math.min(first, longest);

  async function measured(work: () => Promise<void>): Promise<void> {
    let turned = false;
    const turn = setImmediate(() => {
      turned = true;
    });
    const begin = performance.now();
    try {
      await work();
    } finally {
      clearImmediate(turn);
    }
    const share = turned ? 0 : (performance.now() - begin) / turnMs;
    const wanted = Math.round(length * Math.min(2, 1 / Math.max(share, 0.01)));
    length = Math.min(longest, Math.max(SHORTEST, wanted));
  }

  return {
    async each<T>(list: readonly T[], apply: (part: readonly T[]) => Promise<void>): Promise<void> {
      for (let from = 0; from < list.length; ) {
        const part = list.slice(from, from + length);
        from += part.length;
        if (part.length < length) await apply(part);
        else {
          await measured(() => apply(part));
          await ownTurn();
        }
      }
    },
  };
}
