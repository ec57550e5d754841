import { openSqliteEventStore } from '../adapters/sqlite/sqlite-event-store.ts';
import { openSqliteReadStore } from '../adapters/sqlite/sqlite-read-store.ts';
import { SYSTEM_METADATA } from '../event.ts';
import { addItem, basketDecider, closeBasket, startSystem } from './sample-domain.ts';

/* Fills baskets with ten workers until killed; prints a line per acknowledged command. */

const folder = process.argv[2] as string;
const { handler } = await startSystem({
  store: await openSqliteEventStore({ path: `${folder}/log.db` }),
  readStore: await openSqliteReadStore({ path: `${folder}/models.db` }),
});

for (let hand = 0; hand < 10; hand++) void work(hand);

async function work(hand: number): Promise<void> {
  for (let round = 0; ; round++) {
    const basket = `${process.pid}x${hand % 5}x${Math.floor(round / 20)}`;
    const command = round % 20 === 19 ? closeBasket(basket) : addItem(basket, (hand * 7 + round) % 30);
    await handler.handle(basketDecider, `basket-${basket}`, command, SYSTEM_METADATA).catch(() => {});
    process.stdout.write('.\n');
  }
}
