import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createParts } from './parts.ts';

const list = Array.from({ length: 1000 }, (_, at) => at);

/** Holds the event loop. */
function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test('each item is applied once and in order, and others have turns between two parts', async () => {
  const parts = createParts({ first: 64 });
  const applied: number[] = [];
  let turns = 0;
  const others = setInterval(() => turns++, 0);
  const began: number[] = [];
  await parts.each(list, async (part) => {
    began.push(turns);
    applied.push(...part);
    work(2);
  });
  clearInterval(others);
  expect(applied).toEqual(list);
  expect(new Set(began).size).toBeGreaterThan(1);
});

test('parts become shorter where they hold the event loop for too long', async () => {
  const parts = createParts({ turnMs: 5, first: 256 });
  const lengths: number[] = [];
  await parts.each(list, async (part) => {
    lengths.push(part.length);
    work(part.length / 10);
  });
  expect(lengths[0]).toBe(256);
  expect(lengths.at(-2)).toBeLessThan(128);
});

test('parts become longer where the store lets others have their turns', async () => {
  const parts = createParts({ turnMs: 1, first: 10 });
  const lengths: number[] = [];
  await parts.each(list, async (part) => {
    lengths.push(part.length);
    await sleep(5);
  });
  expect(lengths.slice(0, 4)).toEqual([10, 20, 40, 80]);
});

test('what fails ends the list, and is told', async () => {
  const parts = createParts({ first: 10 });
  const applied: number[] = [];
  const failing = parts.each(list, async (part) => {
    if (part.includes(35)) throw new Error('no');
    applied.push(...part);
  });
  await expect(failing).rejects.toThrow('no');
  expect(applied.every((item, at) => item === at)).toBe(true);
});
