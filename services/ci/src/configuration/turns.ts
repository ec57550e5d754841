import { Rejection } from '@forgelog/contracts/errors.ts';
import { KeyedQueue } from '@forgelog/eventing/keyed-queue.ts';

/** Limits how much runs at once. The work of one user runs one after the other, so that nobody takes all slots. */
export interface Turns {
  /** @throws Rejection `too_many_requests` where too much of the user's work waits */
  of<T>(user: number | null, work: () => Promise<T>): Promise<T>;
}

const MAX_WAITING_OF_ONE = 20;
const RETRY_S = 5;

export function createTurns(slots: number): Turns {
  const queue = new KeyedQueue();
  const counts = new Map<string, number>();
  const waiting: (() => void)[] = [];
  let free = slots;

  async function inSlot<T>(work: () => Promise<T>): Promise<T> {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  }

  return {
    async of(user, work) {
      const key = String(user);
      const count = counts.get(key) ?? 0;
      if (count > MAX_WAITING_OF_ONE)
        throw new Rejection('too_many_requests', undefined, { 'Retry-After': `${RETRY_S}` });
      counts.set(key, count + 1);
      try {
        return await queue.run(key, () => inSlot(work));
      } finally {
        const left = counts.get(key)! - 1;
        if (left === 0) counts.delete(key);
        else counts.set(key, left);
      }
    },
  };
}
