import { expect, test } from 'vitest';
import { NoTurnError, Turns } from './turns.ts';

const patient = new AbortController().signal;

/** Asks for turns, and tells whose have begun, in their order. */
function queue(options: { mostBytes: number; waitMs?: number }) {
  const turns = new Turns({ waitMs: 60_000, ...options });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    turns,
    begun,
    ask(name: string, bytes: number, caller = name) {
      void turns.wait(caller, bytes, patient).then((end) => {
        begun.push(name);
        ends.set(name, end);
      });
    },
    async end(name: string) {
      ends.get(name)!();
      await settled();
    },
  };
}

const settled = () => new Promise(setImmediate);

test('turns begin while they fit together, in the order in which they were asked for', async () => {
  const { ask, begun, end, turns } = queue({ mostBytes: 10 });
  ask('a', 4);
  ask('b', 8);
  // It would fit beside the first one.
  ask('c', 4);
  await settled();
  expect(begun).toEqual(['a']);
  await end('a');
  expect(begun).toEqual(['a', 'b']);
  await end('b');
  expect(begun).toEqual(['a', 'b', 'c']);
  await end('c');
  expect(turns.bytes).toBe(0);
});

test('a caller has one turn at a time, and holds up nobody else', async () => {
  const { ask, begun, end } = queue({ mostBytes: 10 });
  ask('a1', 1, 'a');
  ask('a2', 1, 'a');
  ask('b', 1);
  await settled();
  expect(begun).toEqual(['a1', 'b']);
  await end('a1');
  expect(begun).toEqual(['a1', 'b', 'a2']);
});

test('what exceeds the limit has its turn alone', async () => {
  const { ask, begun, end } = queue({ mostBytes: 10 });
  ask('a', 1);
  ask('b', 50);
  ask('c', 1);
  await settled();
  expect(begun).toEqual(['a']);
  await end('a');
  expect(begun).toEqual(['a', 'b']);
  await end('b');
  expect(begun).toEqual(['a', 'b', 'c']);
});

test('whoever leaves the queue or waits for too long lets the others go on', async () => {
  const turns = new Turns({ mostBytes: 10, waitMs: 20 });
  const end = await turns.wait('a', 5, patient);
  const leaving = new AbortController();
  const left = turns.wait('b', 50, leaving.signal);
  const next = turns.wait('c', 5, patient);
  leaving.abort();
  await expect(left).rejects.toBe(leaving.signal.reason);
  const endNext = await next;
  await expect(turns.wait('d', 50, patient)).rejects.toBeInstanceOf(NoTurnError);
  await expect(turns.wait('e', 5, leaving.signal)).rejects.toBe(leaving.signal.reason);
  end();
  endNext();
  expect(turns.bytes).toBe(0);
});
