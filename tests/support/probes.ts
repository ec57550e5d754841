import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

/** No probe of a process that lives takes longer, however busy the machine. */
const ANSWER_MS = 30_000;

/**
 * Status of a process's probe; 0 where nobody answers, now or in time. Never rejects, so it may be asked beside a test.
 * @param signal ends the question
 */
export async function probe(
  address: string,
  name: 'liveness' | 'readiness',
  signal?: AbortSignal,
): Promise<number> {
  const late = AbortSignal.timeout(ANSWER_MS);
  try {
    const response = await fetch(`${address}/-/${name}`, {
      signal: signal ? AbortSignal.any([signal, late]) : late,
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

/** Asks processes whether they are ready, again and again, until `stop` or the end of the test. */
export function probeAll(addresses: readonly string[]): { stop(): Promise<string[]> } {
  const ending = new AbortController();
  const { signal } = ending;
  onTestFinished(() => ending.abort());
  const wrong: string[] = [];

  async function ask(): Promise<void> {
    while (!signal.aborted) {
      for (const address of addresses) {
        const status = await probe(address, 'readiness', signal);
        if (status !== 200 && !signal.aborted)
          wrong.push(`readiness of ${address}: ${status || 'no answer'}`);
      }
      await sleep(100, undefined, { signal }).catch(() => {});
    }
  }

  const asking = ask();
  return {
    /** Gives what was answered beside 200. */
    async stop() {
      ending.abort();
      await asking;
      return wrong;
    },
  };
}
