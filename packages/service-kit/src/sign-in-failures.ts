import { hash } from 'node:crypto';
import { createLru } from '@forgelog/eventing/lru.ts';
import type { BackoffEntries } from './backoff.ts';

/** Failures by digest of who failed: in this process, or in all that tell each other. */
export interface SignInFailures {
  /** Milliseconds. */
  now: () => number;
  digest(text: string): string;
  readonly known: BackoffEntries;
  /** Changes entries by `work`, which may run again on newer ones. A promise where other processes are asked. */
  change<T>(work: (entries: BackoffEntries) => T): T | Promise<T>;
  hear(): void | Promise<void>;
}

/** Strangers choose who fails, so it is bounded: who was quiet for longest is forgotten. */
export const KNOWN_FAILURES = 100_000;

export function createOwnFailures(now: () => number): SignInFailures {
  const known = createLru<string, NonNullable<ReturnType<BackoffEntries['get']>>>(KNOWN_FAILURES);
  return {
    now,
    known,
    digest: (text) => hash('sha256', text, 'base64url').slice(0, 22),
    change: (work) => work(known),
    hear() {},
  };
}
