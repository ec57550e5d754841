import { createHmac } from 'node:crypto';
import { createLru } from '@forgelog/eventing/lru.ts';
import { Backoff, type BackoffEntries, type BackoffEntry } from '@forgelog/service-kit/backoff.ts';
import type { InstanceKey } from '@forgelog/service-kit/instance-key.ts';
import { KNOWN_FAILURES, type SignInFailures } from '@forgelog/service-kit/sign-in-failures.ts';
import { ACCOUNT_LIMITS } from '@forgelog/service-kit/sign-in-limit.ts';
import { createSharedRegister, type SharedRegisterPorts } from './shared-register.ts';

export interface SharedFailuresPorts extends SharedRegisterPorts {
  instanceKey: InstanceKey;
}

type Told = Record<string, readonly [failures: number, since: number, blocks: number, until: number]>;

interface Waiting {
  /** Works on the entries, and returns how whoever waits is told of it. */
  work(entries: BackoffEntries): () => void;
}

const MOST_TOLD = 500;
const MOST_WAITING = 10_000;
/** What was heard so recently need not be asked for again. */
const FRESH_MS = 1_000;

/** Failures that all gateways count together, in one register: ADR 116. */
export function createSharedFailures(ports: SharedFailuresPorts): SignInFailures {
  const { instanceKey, now } = ports;
  const known = createLru<string, BackoffEntry>(KNOWN_FAILURES);
  const backoff = new Backoff(ACCOUNT_LIMITS, now);
  const waiting: Waiting[] = [];
  let heardAt = Number.NEGATIVE_INFINITY;

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

  const register = createSharedRegister(ports, {
    name: 'sign-ins',
    alone: 'sign-ins are limited by this gateway alone for now',
    merge(told) {
      const heard = hearAll(told === undefined ? {} : (JSON.parse(told) as Told));
      if (waiting.length === 0) return undefined;
      const asked = [...waiting];
      const changed = new Map<string, BackoffEntry>();
      const entries: BackoffEntries = {
        get: (key) => changed.get(key) ?? known.get(key),
        set: (key, entry) => changed.set(key, entry),
      };
      const answers = asked.map(({ work }) => work(entries));
      return {
        value: JSON.stringify(tellable(new Map([...heard, ...changed]))),
        settle() {
          for (const [key, entry] of changed) known.set(key, entry);
          waiting.splice(0, asked.length);
          for (const answer of answers) answer();
        },
      };
    },
    decideAlone() {
      for (const { work } of waiting.splice(0)) work(known)();
    },
  });

  return {
    now,
    known,
    digest: (text) => createHmac('sha256', instanceKey()).update(text).digest('base64url').slice(0, 22),
    change<T>(work: (entries: BackoffEntries) => T): T | Promise<T> {
      if (register.isAway() || waiting.length >= MOST_WAITING) return work(known);
      const { promise, resolve } = Promise.withResolvers<T>();
      waiting.push({
        work(entries) {
          const result = work(entries);
          return () => resolve(result);
        },
      });
      void register.tell();
      return promise;
    },
    hear: () => (register.isAway() || Math.abs(now() - heardAt) < FRESH_MS ? undefined : register.tell()),
  };
}
