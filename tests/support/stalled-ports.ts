import type { EventStore } from '@forgelog/eventing/event-store.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { Registers } from '@forgelog/eventing/registers.ts';

/** What a port does from a moment on that the test names: nothing, without a word. */
export interface Stall {
  /** From now on no call settles. */
  begin(): void;
  /** From now on calls do what they did; those that were made meanwhile never settle. */
  end(): void;
  log(store: EventStore): EventStore;
  readStore(store: ReadStore): ReadStore;
  registers(registers: Registers): Registers;
}

export function createStall(): Stall {
  let isStalled = false;
  let ended = Promise.withResolvers<void>();

  /** The port, whose methods all answer with a promise. */
  const stalled = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(target, name) {
        const member = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...given: unknown[]) =>
          isStalled ? new Promise<never>(() => {}) : Reflect.apply(member, target, given);
      },
    });

  return {
    begin() {
      isStalled = true;
      ended = Promise.withResolvers();
    },
    end() {
      isStalled = false;
      ended.resolve();
    },
    log: (store) => ({
      append: stalled(store).append,
      readStream: stalled(store).readStream,
      readAll: stalled(store).readAll,
      head: stalled(store).head,
      isPosition: store.isPosition,
      close: stalled(store).close,
      async *subscribe(options) {
        for await (const batch of store.subscribe(options)) {
          if (isStalled) await ended.promise;
          yield batch;
        }
      },
    }),
    readStore: stalled,
    registers: stalled,
  };
}
