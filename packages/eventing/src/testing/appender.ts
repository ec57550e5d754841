import { openSqliteEventStore } from '../adapters/sqlite/sqlite-event-store.ts';
import { SYSTEM_METADATA } from '../event.ts';
import { newEventId } from '../event-id.ts';

/* Appends with twenty workers until killed; prints the acknowledged event ids. */

const store = await openSqliteEventStore({ path: process.argv[2] as string });
const event = () => ({
  id: newEventId(),
  type: 'SomethingHappened',
  schemaVersion: 1,
  time: new Date().toISOString(),
  data: { text: 'x'.repeat(500) },
  metadata: SYSTEM_METADATA,
});

for (let hand = 0; hand < 20; hand++) void work();

async function work(): Promise<void> {
  for (;;) {
    const events = [event(), event(), event()];
    await store.append(`thing-${events[0]?.id}`, 'no-stream', events);
    process.stdout.write(`${events.map(({ id }) => id).join('\n')}\n`);
  }
}
