import { coalesced } from './coalesced.ts';
import type { EventStore } from './event-store.ts';

/** The store with one read of its end for all who ask together: for a log behind a network. */
export function withSharedHead(store: EventStore): EventStore {
  return {
    append: (stream, expected, events) => store.append(stream, expected, events),
    readStream: (stream, options) => store.readStream(stream, options),
    readAll: (options) => store.readAll(options),
    subscribe: (options) => store.subscribe(options),
    head: coalesced(() => store.head()),
    close: () => store.close(),
  };
}
