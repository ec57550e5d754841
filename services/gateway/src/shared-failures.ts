import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { coalesced } from '@forgelog/eventing/coalesced.ts';
import { withDeadline } from '@forgelog/eventing/deadline.ts';
import { createLru } from '@forgelog/eventing/lru.ts';
import type { Registers } from '@forgelog/eventing/registers.ts';
import { Backoff, type BackoffEntries, type BackoffEntry } from '@forgelog/service-kit/backoff.ts';
import type { InstanceKey } from '@forgelog/service-kit/instance-key.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import { KNOWN_FAILURES, type SignInFailures } from '@forgelog/service-kit/sign-in-failures.ts';
import { ACCOUNT_LIMITS } from '@forgelog/service-kit/sign-in-limit.ts';

export interface SharedFailuresPorts {
  registers: Registers;
  instanceKey: InstanceKey;
  /** Milliseconds since 1970. */
  now: () => number;
  log: Logger;
  patienceMs?: number;
}

type Told = Record<string, readonly [failures: number, since: number, blocks: number, until: number]>;

interface Waiting {
  /** Works on the entries, and returns how whoever waits is told of it. */
  work(entries: BackoffEntries): () => void;
}

const REGISTER = 'sign-ins';
const MOST_TOLD = 500;
const MOST_WAITING = 10_000;
/** What was heard so recently need not be asked for again. */
const FRESH_MS = 1_000;
const PATIENCE_MS = 1_000;
/** While the registers are away, each gateway counts alone. */
const AWAY_MS = 5_000;
const ATTEMPTS = 20;
const RETRY_MS = 4;

/** Failures that all gateways count together, in one register: ADR 116. */
export function createSharedFailures(ports: SharedFailuresPorts): SignInFailures {
  const { registers, instanceKey, now, log, patienceMs = PATIENCE_MS } = ports;
  const known = createLru<string, BackoffEntry>(KNOWN_FAILURES);
  const backoff = new Backoff(ACCOUNT_LIMITS, now);
  const waiting: Waiting[] = [];
  let heardAt = Number.NEGATIVE_INFINITY;
  let awayUntil = Number.NEGATIVE_INFINITY;

  function hearAll(told: Told): Map<string, BackoffEntry> {
    const entries = Object.entries(told).map(
      ([key, [failures, since, blocks, until]]) => [key, { failures, since, blocks, until }] as const,
    );
    for (const [key, entry] of entries) known.set(key, entry);
    heardAt = now();
    return new Map(entries);
  }

  /** The blocked and the busiest, where there are too many. */
  function tellable(entries: Map<string, BackoffEntry>): Told {
    const at = now();
    const lasting = [...entries].filter(([, entry]) => !backoff.isOver(entry));
    const weight = ({ failures, blocks, until }: BackoffEntry) =>
      failures + 10 * blocks + (until > at ? 1_000 : 0);
    const nearest =
      lasting.length > MOST_TOLD ? lasting.toSorted(([, a], [, b]) => weight(b) - weight(a)) : lasting;
    return Object.fromEntries(
      nearest
        .slice(0, MOST_TOLD)
        .map(([key, { failures, since, blocks, until }]) => [key, [failures, since, blocks, until]]),
    );
  }

  async function exchange(state: { isLate: boolean }): Promise<void> {
    for (let attempts = 1; attempts <= ATTEMPTS; attempts += 1) {
      const found = await registers.read(REGISTER);
      if (state.isLate) return;
      const heard = hearAll(found ? (JSON.parse(found.value) as Told) : {});
      if (waiting.length === 0) return;
      const asked = [...waiting];
      const changed = new Map<string, BackoffEntry>();
      const entries: BackoffEntries = {
        get: (key) => changed.get(key) ?? known.get(key),
        set: (key, entry) => changed.set(key, entry),
      };
      const answers = asked.map(({ work }) => work(entries));
      const value = JSON.stringify(tellable(new Map([...heard, ...changed])));
      const isWritten = await registers.write(REGISTER, found?.version ?? 0, value);
      if (state.isLate) return;
      if (isWritten) {
        for (const [key, entry] of changed) known.set(key, entry);
        waiting.splice(0, asked.length);
        for (const answer of answers) answer();
        return;
      }
      // Gateways in step would overtake each other again and again.
      await sleep(Math.random() * attempts * RETRY_MS);
    }
    throw new Error(`the register ${REGISTER} changes too often`);
  }

  function decideAlone(error: unknown): void {
    if (awayUntil < now()) log.warn({ err: error }, 'sign-ins are limited by this gateway alone for now');
    awayUntil = now() + AWAY_MS;
    for (const { work } of waiting.splice(0)) work(known)();
  }

  const tell = coalesced(async () => {
    const state = { isLate: false };
    try {
      await withDeadline(exchange(state), patienceMs, () => new Error('the registers do not answer'));
    } catch (error) {
      state.isLate = true;
      decideAlone(error);
    }
  });

  return {
    now,
    known,
    digest: (text) => createHmac('sha256', instanceKey()).update(text).digest('base64url').slice(0, 22),
    change<T>(work: (entries: BackoffEntries) => T): T | Promise<T> {
      if (now() < awayUntil || waiting.length >= MOST_WAITING) return work(known);
      const { promise, resolve } = Promise.withResolvers<T>();
      waiting.push({
        work(entries) {
          const result = work(entries);
          return () => resolve(result);
        },
      });
      void tell();
      return promise;
    },
    hear: () => (now() < awayUntil || Math.abs(now() - heardAt) < FRESH_MS ? undefined : tell()),
  };
}
