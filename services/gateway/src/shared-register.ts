import { setTimeout as sleep } from 'node:timers/promises';
import { coalesced } from '@forgelog/eventing/coalesced.ts';
import { withDeadline } from '@forgelog/eventing/deadline.ts';
import type { Registers } from '@forgelog/eventing/registers.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';

export interface SharedRegisterPorts {
  registers: Registers;
  /** Milliseconds since 1970. */
  now: () => number;
  log: Logger;
  patienceMs?: number;
}

export interface SharedRegisterUse {
  name: string;
  /** The line of the log when the register does not answer. */
  alone: string;
  /** Called as an exchange begins. */
  begins?(): void;
  /**
   * Merges what the register tells with what there is to tell. `settle` runs once that is written; a newer register
   * is merged again. Undefined where there is nothing to tell.
   */
  merge(told: string | undefined): { value: string; settle(): void } | undefined;
  decideAlone(): void;
}

export interface SharedRegister {
  /** While it is, each gateway decides alone. */
  isAway(): boolean;
  /** Begins an exchange, or one more after that under way. */
  tell(): Promise<void>;
}

const PATIENCE_MS = 1_000;
const AWAY_MS = 5_000;
const ATTEMPTS = 20;
const RETRY_MS = 4;

/** A register in which all gateways tell each other what they count, by compare-and-set. */
export function createSharedRegister(ports: SharedRegisterPorts, use: SharedRegisterUse): SharedRegister {
  const { registers, now, log, patienceMs = PATIENCE_MS } = ports;
  const { name } = use;
  let awayUntil = Number.NEGATIVE_INFINITY;

  async function exchange(state: { isLate: boolean }): Promise<void> {
    for (let attempts = 1; attempts <= ATTEMPTS; attempts += 1) {
      const found = await registers.read(name);
      if (state.isLate) return;
      const merged = use.merge(found?.value);
      if (!merged) return;
      const isWritten = await registers.write(name, found?.version ?? 0, merged.value);
      if (state.isLate) return;
      if (isWritten) return merged.settle();
      // Gateways in step would overtake each other again and again.
      await sleep(Math.random() * attempts * RETRY_MS);
    }
    throw new Error(`the register ${name} changes too often`);
  }

  return {
    isAway: () => now() < awayUntil,
    tell: coalesced(async () => {
      use.begins?.();
      const state = { isLate: false };
      try {
        await withDeadline(exchange(state), patienceMs, () => new Error('the registers do not answer'));
      } catch (error) {
        state.isLate = true;
        if (awayUntil < now()) log.warn({ err: error }, use.alone);
        awayUntil = now() + AWAY_MS;
        use.decideAlone();
      }
    }),
  };
}
