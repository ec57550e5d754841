import type { LookupAddress } from 'node:dns';
import { expect, test } from 'vitest';
import { createNameLookups } from './name-lookups.ts';

const HERE: LookupAddress[] = [{ address: '192.0.2.1', family: 4 }];

/** Lookups that are answered by hand. */
function byHand() {
  const asked: { name: string; answer: (error: Error | null, found: LookupAddress[]) => void }[] = [];
  let now = 1_000;
  const lookups = createNameLookups((name, _options, answer) => void asked.push({ name, answer }), {
    atOnce: 2,
    now: () => now,
  });
  const run = (name: string) =>
    new Promise<LookupAddress[]>((resolve, reject) =>
      lookups.run(name, {}, (error, found) => (error ? reject(error) : resolve(found))),
    );
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { asked, run, pass };
}

test('two names are looked up at a time, the others in turn', async () => {
  const { asked, run } = byHand();
  const found = ['a', 'b', 'c', 'd'].map(run);
  expect(asked.map(({ name }) => name)).toEqual(['a', 'b']);
  asked[1]!.answer(null, HERE);
  expect(asked.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  for (const at of [0, 2, 3]) asked[at]!.answer(null, HERE);
  expect(await Promise.all(found)).toEqual([HERE, HERE, HERE, HERE]);
});

test('those who ask for one name share a lookup, and its address is not kept', async () => {
  const { asked, run } = byHand();
  const both = [run('a'), run('a')];
  expect(asked).toHaveLength(1);
  asked[0]!.answer(null, HERE);
  expect(await Promise.all(both)).toEqual([HERE, HERE]);
  const again = run('a');
  expect(asked).toHaveLength(2);
  const moved: LookupAddress[] = [{ address: '198.51.100.1', family: 4 }];
  asked[1]!.answer(null, moved);
  expect(await again).toEqual(moved);
});

test('a name that is not known is not asked for again for a moment, and holds up no other', async () => {
  const { asked, run, pass } = byHand();
  const first = run('gone');
  asked[0]!.answer(new Error('ENOTFOUND'), []);
  await expect(first).rejects.toThrow('ENOTFOUND');
  await expect(Promise.all(Array.from({ length: 100 }, () => run('gone')))).rejects.toThrow('ENOTFOUND');
  expect(asked).toHaveLength(1);
  pass(6_000);
  const later = run('gone');
  expect(asked).toHaveLength(2);
  asked[1]!.answer(null, HERE);
  expect(await later).toEqual(HERE);
});
