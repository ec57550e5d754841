import {
  MAX_TOKEN_USES,
  recordTokenUses,
} from '@forgelog/contracts/admin/access-tokens/access-token.operations.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { newEventId } from '@forgelog/eventing/event-id.ts';
import { createLru } from '@forgelog/eventing/lru.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import type { Operations } from '@forgelog/service-kit/operations.ts';

/** Has the last use of tokens recorded. No request waits for that. */
export interface TokenUses {
  used(tokenId: number): void;
  start(): void;
  /** Ends after what is being recorded. Uses of the last seconds are lost, as after a kill. */
  stop(): Promise<void>;
}

export interface TokenUsesPorts {
  operations: Operations;
  clock: () => Date;
  log: Logger;
  /** A token's use is recorded again after so long at the earliest; 0 for never. */
  pauseMs: number;
  writeMs?: number;
}

/** A shorter pause makes more events of the same uses. */
const WRITE_MS = 10_000;
const KNOWN = 50_000;

export const NO_TOKEN_USES: TokenUses = { used() {}, start() {}, async stop() {} };

export function createTokenUses(ports: TokenUsesPorts): TokenUses {
  const { operations, clock, log, pauseMs, writeMs = WRITE_MS } = ports;
  if (pauseMs === 0) return NO_TOKEN_USES;
  /** When the use of a token was noted last, in milliseconds. */
  const noted = createLru<number, number>(KNOWN);
  const waiting = new Map<number, number>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, MAX_TOKEN_USES);
      const uses = batch.map(([tokenId, at]) => ({ tokenId, usedAt: new Date(at).toISOString() }));
      const asking = { principal: null, operationId: newEventId(), metadata: SYSTEM_METADATA };
      await operations.call(recordTokenUses, { uses }, asking);
      for (const [tokenId] of batch) waiting.delete(tokenId);
    }
  }

  const writeSoon = () =>
    (writing ??= write()
      .catch((error: unknown) => log.warn({ err: error }, 'uses of tokens not recorded; tried again later'))
      .finally(() => {
        writing = undefined;
      }));

  return {
    used(tokenId) {
      const at = clock().getTime();
      // A clock that was set back must not stop this for as long.
      if (Math.abs(at - (noted.get(tokenId) ?? Number.NEGATIVE_INFINITY)) < pauseMs) return;
      if (waiting.size >= KNOWN) return;
      noted.set(tokenId, at);
      waiting.set(tokenId, at);
    },
    start() {
      timer = setInterval(writeSoon, writeMs).unref();
    },
    async stop() {
      clearInterval(timer);
      await writing;
    },
  };
}
