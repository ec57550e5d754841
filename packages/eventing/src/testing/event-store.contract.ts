import { afterEach, describe, expect, test } from 'vitest';
import { BEGINNING, type NewEvent, type RecordedEvent, SYSTEM_METADATA } from '../event.ts';
import { newEventId } from '../event-id.ts';
import {
  DuplicateEventIdError,
  type EventStore,
  EventStoreUnavailableError,
  WrongExpectedRevisionError,
} from '../event-store.ts';

/** An empty store, or one on a server with older events where nothing else writes. */
export interface StoreUnderTest {
  store: EventStore;
  /** Closes and reopens the store; absent if events do not outlive it. */
  reopen?: () => Promise<EventStore>;
  /** Why the store cannot detect a duplicate id elsewhere in the log, if it cannot. */
  blindToIds?: string;
}

export function someEvent(data: unknown = {}, type = 'SomethingHappened'): NewEvent {
  const time = new Date(0).toISOString();
  return { id: newEventId(), type, schemaVersion: 1, time, data, metadata: SYSTEM_METADATA };
}

export function describeEventStore(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`event store: ${name}`, () => {
    const opened: EventStore[] = [];
    const fresh = async () => {
      const under = await open();
      opened.push(under.store);
      const suffix = newEventId();
      const start = await under.store.head();
      const thing = (number: number) => `thing-${number}-${suffix}`;
      return { ...under, start, thing };
    };
    afterEach(async () => {
      for (const store of opened.splice(0)) await store.close();
    });

    test('returns appended events in order and with their place', async () => {
      const { store, start, thing } = await fresh();
      const events = [someEvent({ text: 'ä "quoted" \n 🙂', none: null }), someEvent([1, 2.5])];
      const result = await store.append(thing(1), 'no-stream', events);
      const read = await store.readStream(thing(1));
      expect(read).toEqual(
        events.map((event, revision) => ({
          ...event,
          stream: thing(1),
          revision,
          position: expect.any(String),
        })),
      );
      expect(result).toMatchObject({ revision: 1, position: read[1]?.position });
      expect(await store.readAll({ after: start, limit: 10 })).toEqual(read);
      expect(positionsGrow(read)).toBe(true);
      expect(await store.head()).toBe(result.position);
    });

    test('is empty when nothing was appended', async () => {
      const { store, start, thing } = await fresh();
      expect(await store.head()).toBe(start);
      expect(await store.readAll({ after: BEGINNING, limit: 1 })).toHaveLength(start === BEGINNING ? 0 : 1);
      expect(await store.readStream(thing(1))).toEqual([]);
      expect(await store.readAll({ after: start, limit: 10 })).toEqual([]);
    });

    test('tells its positions from other texts', async () => {
      const { store, thing } = await fresh();
      const { position } = await store.append(thing(1), 'no-stream', [someEvent()]);
      expect(store.isPosition(position)).toBe(true);
      const others = [
        BEGINNING,
        '7',
        'zzz',
        '-1',
        '9'.repeat(40),
        `${position} `,
        ` ${position}`,
        `${position}0`,
      ];
      const foreign = store.isPosition('0000000000000001')
        ? `${'0'.repeat(16)}-${'0'.repeat(16)}`
        : '0000000000000001';
      expect([...others, foreign, position.replaceAll('0', 'g')].filter(store.isPosition)).toEqual([]);
    });

    test('reads parts of a stream and of the log', async () => {
      const { store, start, thing } = await fresh();
      for (let i = 0; i < 6; i++)
        await store.append(thing(i % 2), i < 2 ? 'no-stream' : (i >> 1) - 1, [someEvent(i)]);
      const stream = await store.readStream(thing(0), { fromRevision: 1, limit: 1 });
      expect(stream.map((event) => event.data)).toEqual([2]);
      const first = await store.readAll({ after: start, limit: 4 });
      const rest = await store.readAll({ after: first[3]?.position ?? start, limit: 4 });
      expect([...first, ...rest].map((event) => event.data)).toEqual([0, 1, 2, 3, 4, 5]);
      expect(positionsGrow([...first, ...rest])).toBe(true);
    });

    test('reads the events of a project in order, within bounds, if it has an index of them', async ({
      skip,
    }) => {
      const { store, thing } = await fresh();
      if (!store.readProject) return skip('it has no index of projects');
      const data = [
        { projectId: 7 },
        { projectId: 8 },
        { other: 7 },
        { projectId: 7, n: 2 },
        7,
        null,
        { projectId: '7' },
        { projectId: 7, n: 3 },
      ];
      for (const [at, value] of data.entries())
        await store.append(thing(at), 'no-stream', [someEvent(value)]);
      const upTo = await store.head();
      await store.append(thing(100), 'no-stream', [someEvent({ projectId: 7 })]);
      const read = (after: string, limit: number) => store.readProject!({ projectId: 7, after, upTo, limit });
      const all = await read(BEGINNING, 100);
      expect(all.map((event) => event.data)).toEqual([data[0], data[3], data[7]]);
      expect(await read(all[0]!.position, 1)).toEqual([all[1]]);
      expect(await read(upTo, 10)).toEqual([]);
    });

    test('rejects an append at the wrong revision and stores nothing of it', async () => {
      const { store, start, thing } = await fresh();
      await store.append(thing(1), 'no-stream', [someEvent()]);
      const refused = [
        store.append(thing(1), 'no-stream', [someEvent()]),
        store.append(thing(1), 1, [someEvent()]),
        store.append(thing(2), 0, [someEvent()]),
      ];
      const errors = await Promise.allSettled(refused);
      for (const error of errors)
        expect(error).toMatchObject({ reason: expect.any(WrongExpectedRevisionError) });
      expect(errors.map((error) => (error as PromiseRejectedResult).reason.actual)).toEqual([0, 0, null]);
      expect(await store.readAll({ after: start, limit: 10 })).toHaveLength(1);
    });

    test('answers a repeated append like the first one', async () => {
      const { store, start, thing } = await fresh();
      const events = [someEvent(1), someEvent(2)];
      const { isNew: _, ...first } = await store.append(thing(1), 'no-stream', events);
      await store.append(thing(1), 1, [someEvent(3)]);
      expect(await store.append(thing(1), 'no-stream', events)).toEqual(first);
      const retries = await Promise.all([1, 2, 3].map(() => store.append(thing(1), 'no-stream', events)));
      expect(retries).toEqual([first, first, first]);
      expect(await store.readAll({ after: start, limit: 10 })).toHaveLength(3);
    });

    test('rejects an append that repeats an id', async () => {
      const { store, start, thing } = await fresh();
      const event = someEvent();
      await expect(store.append(thing(1), 'no-stream', [event, event])).rejects.toThrow(
        DuplicateEventIdError,
      );
      expect(await store.readAll({ after: start, limit: 10 })).toEqual([]);
    });

    test('keeps streams apart for any characters in their names', async () => {
      const { store, thing } = await fresh();
      const names = ['/', '-', ':', ' ', '%2F', 'ä🙂', "'"].map((mark) => `thing-0${mark}${thing(1)}`);
      await Promise.all(names.map((name, index) => store.append(name, 'no-stream', [someEvent(index)])));
      const read = await Promise.all(names.map((name) => store.readStream(name)));
      expect(read).toEqual(names.map((stream, data) => [expect.objectContaining({ stream, data })]));
    });

    test('rejects a whole append for one id that is elsewhere in the log', async ({ skip }) => {
      const { store, start, thing, blindToIds } = await fresh();
      if (blindToIds) return skip(blindToIds);
      const used = someEvent();
      await store.append(thing(1), 'no-stream', [used]);
      await expect(store.append(thing(2), 'no-stream', [someEvent(), used])).rejects.toThrow(
        DuplicateEventIdError,
      );
      expect(await store.readStream(thing(2))).toEqual([]);
      const { revision } = await store.append(thing(2), 'no-stream', [someEvent()]);
      expect(revision).toBe(0);
      expect(await store.readAll({ after: start, limit: 10 })).toHaveLength(2);
    });

    test('lets exactly one of many parallel writers win each revision', async () => {
      const { store, thing } = await fresh();
      const wins: number[] = [];
      async function write(): Promise<void> {
        let expected: number | 'no-stream' = 'no-stream';
        for (let won = 0; won < 10; ) {
          try {
            expected = (await store.append(thing(1), expected, [someEvent()])).revision;
            wins.push(expected);
            won++;
          } catch (error) {
            if (!(error instanceof WrongExpectedRevisionError) || error.actual === null) throw error;
            expected = error.actual;
          }
        }
      }
      await Promise.all(Array.from({ length: 8 }, write));
      expect(wins.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 80 }, (_, index) => index));
      const revisions = (await store.readStream(thing(1))).map((event) => event.revision);
      expect(revisions).toEqual(Array.from({ length: 80 }, (_, index) => index));
    });

    test('rejects an append without affecting concurrent ones', async () => {
      const { store, start, thing } = await fresh();
      await store.append(thing(0), 'no-stream', [someEvent()]);
      const twice = someEvent();
      const results = await Promise.allSettled(
        Array.from({ length: 60 }, (_, i) => {
          if (i % 3 === 0) return store.append(thing(i), 7, [someEvent()]);
          if (i % 3 === 1) return store.append(thing(i), 'no-stream', [twice, twice]);
          return store.append(thing(i), 'no-stream', [someEvent(i), someEvent(i)]);
        }),
      );
      expect(results.map((result) => result.status)).toEqual(
        results.map((_, i) => (i % 3 === 2 ? 'fulfilled' : 'rejected')),
      );
      const log = await store.readAll({ after: start, limit: 1000 });
      expect(log).toHaveLength(41);
      expect(positionsGrow(log)).toBe(true);
    });

    test('delivers everything once and in order to subscribers, during appends and across reconnects', async () => {
      const { store, start, thing } = await fresh();
      const total = 400;
      const append = async () => {
        for (let i = 0; i < total; i += 4)
          await Promise.all([0, 1, 2, 3].map((j) => store.append(thing(i + j), 'no-stream', [someEvent()])));
      };
      async function follow(patience: number): Promise<RecordedEvent[]> {
        const seen: RecordedEvent[] = [];
        while (seen.length < total) {
          const ending = new AbortController();
          const after = seen.at(-1)?.position ?? start;
          let batches = 0;
          for await (const batch of store.subscribe({ after, maxBatch: 7, signal: ending.signal })) {
            expect(batch.length).toBeGreaterThan(0);
            expect(batch.length).toBeLessThanOrEqual(7);
            seen.push(...batch);
            if (++batches === patience || seen.length >= total) ending.abort();
          }
        }
        return seen;
      }
      const [, ...followers] = await Promise.all([append(), follow(1), follow(3), follow(Infinity)]);
      const log = await store.readAll({ after: start, limit: 1000 });
      for (const seen of followers) expect(seen).toEqual(log);
    });

    test('ends a subscription when its signal aborts or the store closes', async () => {
      const { store, start } = await fresh();
      const ending = new AbortController();
      const drain = async (signal: AbortSignal) => {
        for await (const batch of store.subscribe({ after: start, signal })) expect(batch).toEqual([]);
      };
      const aborted = drain(ending.signal);
      const closed = drain(new AbortController().signal);
      ending.abort();
      await aborted;
      await store.close();
      await closed;
    });

    test('finishes pending appends at a close and rejects later ones', async () => {
      const { store, thing } = await fresh();
      const begun = Promise.all(
        Array.from({ length: 20 }, (_, i) => store.append(thing(i), 'no-stream', [someEvent()])),
      );
      const closing = store.close();
      expect(await begun).toHaveLength(20);
      await closing;
      await expect(store.append(thing(1), 0, [someEvent()])).rejects.toThrow(EventStoreUnavailableError);
      await store.close();
    });

    test('holds the same events after a reopen', async ({ skip }) => {
      const { store, reopen, start, thing } = await fresh();
      if (!reopen) return skip('its events end with the store');
      for (let i = 0; i < 30; i++)
        await store.append(thing(i % 5), i < 5 ? 'no-stream' : Math.floor(i / 5) - 1, [someEvent(i)]);
      const before = await store.readAll({ after: start, limit: 100 });
      const again = await reopen();
      opened.push(again);
      expect(await again.readAll({ after: start, limit: 100 })).toEqual(before);
      expect(await again.head()).toBe(before.at(-1)?.position);
      const { position } = await again.append(thing(0), 5, [someEvent()]);
      expect(position > (before.at(-1)?.position ?? '')).toBe(true);
    });
  });
}

const positionsGrow = (events: readonly RecordedEvent[]): boolean =>
  events.every((event, index) => index === 0 || event.position > (events[index - 1]?.position ?? ''));
