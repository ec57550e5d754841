import { setTimeout as delay } from 'node:timers/promises';
import { fetchContract } from './contract.ts';
import { readEvents } from './event-stream.ts';
import type { Progress } from './progress.ts';
import { Refusal } from './refusal.ts';
import type { Replica } from './replica.ts';
import type { RestApi } from './rest-api.ts';

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 30_000;

/**
 * Brings the tables up to date, and keeps them so unless `once`. A lost connection is made again.
 * @throws Refusal for what a retry does not solve
 */
export async function follow(
  { api, replica, progress }: { api: RestApi; replica: Replica; progress: Progress },
  { once, signal }: { once: boolean; signal: AbortSignal },
): Promise<void> {
  let retryMs = FIRST_RETRY_MS;
  while (!signal.aborted) {
    try {
      // Read again with each connection: a new version of the server may have new rules.
      const contract = await fetchContract(api);
      for await (const { events, hasCaughtUp } of readEvents(api, replica.state().position, signal)) {
        await replica.apply(events, contract);
        progress.add(events, hasCaughtUp);
        retryMs = FIRST_RETRY_MS;
        if ((once && hasCaughtUp) || signal.aborted) return;
      }
      progress.say('the stream ended; connecting again');
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Refusal || isOfDatabase(error)) throw error;
      progress.say(`${reasonOf(error)}; trying again in ${retryMs / 1000} s`);
    }
    await delay(retryMs, undefined, { signal }).catch(() => {});
    retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS);
  }
}

/** A full disk or a damaged file: a new connection does not help. */
const isOfDatabase = (error: unknown): boolean => (error as { code?: string }).code === 'ERR_SQLITE_ERROR';

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
