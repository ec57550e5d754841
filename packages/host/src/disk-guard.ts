import { type EventStore, EventStoreUnavailableError } from '@forgelog/eventing/event-store.ts';
import type { DiskRoom } from '@forgelog/service-kit/disk-room.ts';
import { DiskFullError } from '@forgelog/service-kit/unavailable.ts';

/**
 * Refuses appends while the disk still has room for the read models of what was appended, so that reads go on. A
 * failed append on a disk that filled up suddenly has the same cause.
 */
export function refuseWhenFull(store: EventStore, disk: DiskRoom): EventStore {
  return {
    ...store,
    async append(...given) {
      if (disk.look().isFull) throw new DiskFullError();
      try {
        return await store.append(...given);
      } catch (error) {
        if (error instanceof EventStoreUnavailableError && disk.look().isFull)
          throw new DiskFullError({ cause: error });
        throw error;
      }
    },
  };
}
