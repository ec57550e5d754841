import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { ConflictError } from '../../command-handler.ts';
import { BEGINNING, SYSTEM_METADATA } from '../../event.ts';
import { dump } from '../../rebuild.ts';
import { eventStoreDbServers } from '../../testing/eventstoredb-servers.ts';
import { addItem, basketDecider, baskets, startSystem } from '../../testing/sample-domain.ts';
import type { Fault, Operation } from './testing/server/faults.ts';
import { rpcErrors } from './testing/server/rpc-errors.ts';

const servers = eventStoreDbServers();
afterAll(() => servers.stop());

const BASKETS = 4;
const HANDS = 6;
const ROUNDS = 12;

const faults: fc.Arbitrary<{ operation: Operation; fault: Fault }> = fc.oneof(
  fc.record({
    operation: fc.constantFrom<Operation>('append', 'read'),
    fault: fc.constantFrom<Fault>(
      { kind: 'drop-before' },
      { kind: 'drop-after' },
      { kind: 'no-answer' },
      { kind: 'delay', ms: 300 },
      { kind: 'refuse', error: rpcErrors.notReady() },
      { kind: 'refuse', error: rpcErrors.timeout() },
    ),
  }),
  fc.record({
    operation: fc.constant<Operation>('subscribe'),
    fault: fc.nat(20).map((messages): Fault => ({ kind: 'drop-after-messages', messages })),
  }),
);

test('two processes on one log with randomly failing calls lose and repeat nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(faults, { minLength: 15, maxLength: 40 }), async (planned) => {
      const server = await servers.start();
      const open = () => servers.open(server, { deadlineMs: 250, patienceMs: 30_000 });
      const systems = await Promise.all(
        [open(), open()].map((store) => startSystem({ store, timeoutMs: 30_000 })),
      );
      for (const { operation, fault } of planned) server.faults.next(operation, fault);
      let breaks = 10;
      const hands = Array.from({ length: HANDS }, async (_, hand) => {
        const { handler, projectors } = systems[hand % 2] as (typeof systems)[0];
        for (let done = 0; done < ROUNDS; ) {
          const basket = String((hand + done) % BASKETS);
          try {
            await handler.handle(basketDecider, `basket-${basket}`, addItem(basket), SYSTEM_METADATA);
            done++;
          } catch (error) {
            if (!(error instanceof ConflictError)) throw error;
          }
          if (done % 5 === 0 && breaks-- > 0) server.dropConnections();
        }
        await projectors.barrier({ timeoutMs: 30_000 });
      });
      await Promise.all(hands);
      const plain = servers.open(server);
      const log = await plain.readAll({ after: BEGINNING, limit: 10_000 });
      expect(log).toHaveLength(HANDS * ROUNDS);
      expect(new Set(log.map(({ id }) => id)).size).toBe(log.length);
      // All processes must see the same order, because the ranks of the baskets depend on it.
      const [one, other] = await Promise.all(
        systems.map(async ({ projectors, readStore }) => {
          await projectors.barrier({ timeoutMs: 30_000 });
          await projectors.stop();
          return dump(readStore, [baskets]);
        }),
      );
      expect(one).toBe(other);
      const afresh = await startSystem({ store: plain });
      await afresh.projectors.stop();
      expect(await dump(afresh.readStore, [baskets])).toBe(one);
    }),
    { numRuns: 3 },
  );
});
