import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

/** Work that ends when it is told to, and what has begun. */
function recorder(turns: ReturnType<typeof createTurns>) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (user: number, name: string) =>
    turns.of(user, () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const end = async (name: string) => {
    ends.get(name)!();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, start, end };
}

test('the work of one user runs one after the other, and leaves slots to others', async () => {
  const { begun, start, end } = recorder(createTurns(2));
  const all = [start(1, 'a1'), start(1, 'a2'), start(2, 'b1'), start(3, 'c1')];
  expect(begun).toEqual(['a1', 'b1']);
  await end('a1');
  expect(begun).toEqual(['a1', 'b1', 'c1']);
  await end('b1');
  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2']);
  await end('c1');
  await end('a2');
  await Promise.all(all);
});

test('work that fails frees its slot', async () => {
  const turns = createTurns(1);
  await expect(turns.of(1, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await turns.of(1, async () => 'next')).toBe('next');
});

test('a user with too much waiting work is refused, others are not', async () => {
  const { start, end, begun } = recorder(createTurns(2));
  const all = Array.from({ length: 21 }, (_, at) => start(1, `a${at}`));
  await expect(start(1, 'more')).rejects.toMatchObject({ code: 'too_many_requests' });
  const other = start(2, 'b');
  expect(begun).toEqual(['a0', 'b']);
  await end('b');
  await other;
  for (let at = 0; at < all.length; at += 1) await end(`a${at}`);
  await Promise.all(all);
  const again = start(1, 'again');
  await end('again');
  await again;
});
