import { afterEach, describe, expect, test } from 'vitest';
import { BEGINNING } from '../event.ts';
import { type ExpiringStream, followedLog } from '../expiring-stream.ts';
import { someEvent } from './event-store.contract.ts';

interface StreamUnderTest {
  stream: ExpiringStream;
  /** Opens it once more, for another process if several may have it open; else it is closed first. */
  again: () => Promise<ExpiringStream>;
}

export function describeExpiringStream(name: string, open: () => Promise<StreamUnderTest>): void {
  describe(`expiring stream: ${name}`, () => {
    const opened: ExpiringStream[] = [];
    const fresh = async () => {
      const { stream, again } = await open();
      opened.push(stream);
      return {
        stream,
        async again() {
          const other = await again();
          opened.push(other);
          return other;
        },
      };
    };
    afterEach(async () => {
      for (const stream of opened.splice(0)) await stream.close();
    });
    const some = (count: number) => Array.from({ length: count }, (_, at) => someEvent({ at }));

    test('is empty at first', async () => {
      const { stream } = await fresh();
      expect(await stream.last()).toBe(-1);
      expect(await stream.read({ after: -1, limit: 10 })).toEqual([]);
    });

    test('returns what was appended in order, from any revision on', async () => {
      const { stream, again } = await fresh();
      const events = [someEvent({ text: 'ä "quoted" \n 🙂', none: null }), ...some(4)];
      await stream.append(events.slice(0, 2));
      await stream.append(events.slice(2));
      const read = await stream.read({ after: -1, limit: 10 });
      const { stream: called } = read[0]!;
      expect(read).toEqual(events.map((event, revision) => ({ ...event, stream: called, revision })));
      expect(await stream.last()).toBe(4);
      expect(await stream.read({ after: 1, limit: 2 })).toEqual(read.slice(2, 4));
      const other = await again();
      await other.append(some(1));
      expect(await other.last()).toBe(5);
      expect((await other.read({ after: 3, limit: 10 })).map(({ revision }) => revision)).toEqual([4, 5]);
    });

    test('holds everything of many appends at once', async () => {
      const { stream } = await fresh();
      const events = some(40);
      await Promise.all(events.map((event) => stream.append([event])));
      const read = await stream.read({ after: -1, limit: 100 });
      expect(read.map(({ revision }) => revision)).toEqual(events.map((_, at) => at));
      expect(read.map(({ id }) => id).toSorted()).toEqual(events.map(({ id }) => id).toSorted());
    });

    test('keeps its epochs, each of which is begun once', async () => {
      const { stream, again } = await fresh();
      expect(await stream.epochs()).toEqual([]);
      const epoch = (name: string) => ({ name, after: -1, ofLog: '0000000' });
      await stream.beginEpoch(0, epoch('000000a'));
      await stream.beginEpoch(0, epoch('000000b'));
      await stream.append(some(2));
      const other = await again();
      await other.beginEpoch(1, { ...epoch('000000c'), after: 1 });
      expect(await other.epochs()).toEqual([epoch('000000a'), { ...epoch('000000c'), after: 1 }]);
      expect(await other.last()).toBe(1);
    });

    test('is followed like a log, whose positions sort like it', async () => {
      const { stream } = await fresh();
      await stream.append(some(11));
      const log = followedLog(stream, 5);
      const stop = new AbortController();
      const positions: string[] = [];
      for await (const batch of log.subscribe({ after: BEGINNING, maxBatch: 4, signal: stop.signal })) {
        positions.push(...batch.map(({ position }) => position));
        if (positions.length === 11) await stream.append(some(1));
        if (positions.length === 12) stop.abort();
      }
      expect(positions.toSorted()).toEqual(positions);
      expect(positions.at(-1)).toBe(await log.head());
      expect(positions.filter((position) => !log.isPosition(position))).toEqual([]);
      expect(log.isPosition('0000000000000001')).toBe(false);
      const [next] = await log.readAll({ after: positions[9]!, limit: 1 });
      expect(next!.position).toBe(positions[10]);
    });
  });
}
