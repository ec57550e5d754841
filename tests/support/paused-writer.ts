import { type EventStore, WrongExpectedRevisionError } from '@forgelog/eventing/event-store.ts';

/** Holds the appends of the replica that decides first between its decision and the log, as a long pause would. */
export function pausedWriter() {
  let gate: PromiseWithResolvers<void> | null = null;
  let isHeld: (stream: string) => boolean = () => false;
  let first: string | undefined;
  const held: string[] = [];
  const refused: string[] = [];
  const logOf = (store: EventStore, replica: string): EventStore => ({
    ...store,
    async append(stream, expected, events) {
      if (gate && isHeld(stream)) {
        first ??= replica;
        if (first === replica) {
          held.push(stream);
          await gate.promise;
        }
      }
      return store.append(stream, expected, events).catch((error: unknown) => {
        if (error instanceof WrongExpectedRevisionError) refused.push(stream);
        throw error;
      });
    },
  });
  return {
    logOf,
    /** Streams whose append waits or has waited, and those whose append the log refused. */
    held,
    refused,
    pause(streams: (stream: string) => boolean) {
      gate = Promise.withResolvers<void>();
      isHeld = streams;
      first = undefined;
      held.length = 0;
      refused.length = 0;
    },
    wake() {
      gate?.resolve();
      gate = null;
    },
  };
}
