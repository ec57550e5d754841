import { withDeadline } from './deadline.ts';
import { type EventStore, EventStoreUnavailableError } from './event-store.ts';

/**
 * The store, each of whose calls settles within so many milliseconds: one that does not counts as unavailable. Command
 * handlers queue by stream, so an append that never settled would hold up everything after it. A subscription has no
 * deadline, because an idle log is silent; a broken connection is the adapter's to notice.
 */
export function boundedEventStore(store: EventStore, callMs: number): EventStore {
  const late = () => new EventStoreUnavailableError(`the event log did not answer within ${callMs} ms`);
  return {
    ...store,
    append: (...given) => withDeadline(store.append(...given), callMs, late),
    readStream: (...given) => withDeadline(store.readStream(...given), callMs, late),
    readAll: (...given) => withDeadline(store.readAll(...given), callMs, late),
    head() {
      const head = store.head();
      return typeof head === 'string' ? head : withDeadline(head, callMs, late);
    },
  };
}
