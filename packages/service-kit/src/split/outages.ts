import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const MAX_WAITING = 1_000;
const ASK_EVERY_MS = 100;
const ANSWER_MS = 1_000;
/** An outage that nobody met for so long is another one. */
const FORGOTTEN_MS = 30_000;

export interface Outages {
  /** Waits until the service is ready. False where nobody may wait, or may wait any longer. */
  over(url: string, signal?: AbortSignal): Promise<boolean>;
  answered(url: string): void;
  waiting(): number;
}

interface Outage {
  since: number;
  met: number;
  asking: Promise<boolean> | undefined;
}

/** Patience is counted from the begin of an outage: while a service stays away, calls fail at once (ADR 109). */
export function createOutages({
  waitMs,
  maxWaiting = MAX_WAITING,
}: {
  waitMs: number;
  maxWaiting?: number;
}): Outages {
  const outages = new Map<string, Outage>();
  let waiting = 0;

  async function ask(url: string, { since }: Outage): Promise<boolean> {
    while (performance.now() - since < waitMs) {
      if (await isReady(url)) return true;
      await sleep(ASK_EVERY_MS, undefined, { ref: false });
    }
    return false;
  }

  function met(url: string): Outage {
    const now = performance.now();
    const known = outages.get(url);
    const outage =
      known && now - known.met < FORGOTTEN_MS ? known : { since: now, met: now, asking: undefined };
    outage.met = now;
    outages.set(url, outage);
    return outage;
  }

  return {
    async over(url, signal) {
      const outage = met(url);
      if (signal?.aborted || waiting >= maxWaiting || outage.met - outage.since >= waitMs) return false;
      waiting += 1;
      outage.asking ??= ask(url, outage).finally(() => {
        outage.asking = undefined;
      });
      try {
        return await unlessAborted(outage.asking, signal);
      } finally {
        waiting -= 1;
      }
    },
    answered(url) {
      if (outages.size > 0) outages.delete(url);
    },
    waiting: () => waiting,
  };
}

function isReady(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    get(`${url}/-/readiness`, { agent: false, timeout: ANSWER_MS }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    })
      .on('timeout', function (this: { destroy(): void }) {
        this.destroy();
      })
      .on('error', () => resolve(false));
  });
}

async function unlessAborted(asked: Promise<boolean>, signal: AbortSignal | undefined): Promise<boolean> {
  if (!signal) return asked;
  const { promise: aborted, resolve } = Promise.withResolvers<boolean>();
  const end = () => resolve(false);
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([asked, aborted]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
