import { expect, test } from 'vitest';
import { coalesced } from './coalesced.ts';

function slowRead() {
  const ends: ((value: number) => void)[] = [];
  const fails: ((error: Error) => void)[] = [];
  const read = coalesced(
    () =>
      new Promise<number>((resolve, reject) => {
        ends.push(resolve);
        fails.push(reject);
      }),
  );
  return { read, ends, fails };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('no caller gets data from before the call, and concurrent callers share a read', async () => {
  const { read, ends } = slowRead();
  const first = read();
  const others = Array.from({ length: 100 }, () => read());
  expect(ends).toHaveLength(1);
  ends[0]!(1);
  expect(await first).toBe(1);
  await turn();
  expect(ends).toHaveLength(2);
  const late = read();
  ends[1]!(2);
  expect(new Set(await Promise.all(others))).toEqual(new Set([2]));
  await turn();
  ends[2]!(3);
  expect(await late).toBe(3);
});

test('a failed read fails only its own callers', async () => {
  const { read, ends, fails } = slowRead();
  const first = read();
  const second = read();
  fails[0]!(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  await turn();
  ends[1]!(2);
  expect(await second).toBe(2);
});
