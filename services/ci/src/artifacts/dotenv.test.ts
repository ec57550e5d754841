import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { DOTENV_LIMITS, readDotenv } from './dotenv.ts';

const read = async (...files: string[]) =>
  Object.fromEntries(await readDotenv(Buffer.concat(files.map((file) => gzipSync(file))), 'gzip'));

test('a line is a key and a value; spaces around them go, quotes stay', async () => {
  expect(await read('A=1\n\n B = two words \r\nC="x=y"\nD=\nA=2')).toEqual({
    ...{ A: '2', B: 'two words' },
    ...{ C: '"x=y"', D: '' },
  });
  expect(await read()).toEqual({});
});

test('several files are one report, of which the last counts', async () => {
  expect(await read('A=1\nB=1', 'B=2')).toEqual({ A: '1', B: '2' });
});

test('a file that is not packed is read as it is', async () => {
  expect([...(await readDotenv(Buffer.from('A=1'), 'raw'))]).toEqual([['A', '1']]);
});

test.each([
  ['a comment', '# A', 'Invalid Format'],
  ['a line without a value', 'A', 'Invalid Format'],
  ['a key with other characters', 'A-B=1', 'Key can contain only'],
  ['no key', '=1', 'Key can contain only'],
  ['a key that is too long', `${'K'.repeat(256)}=1`, 'Key can contain only'],
  ['a byte that no variable can hold', 'A=\0', 'Invalid Format'],
])('refuses %s', async (_what, text, reason) => {
  await expect(read(text)).rejects.toThrow(reason);
});

test('refuses what is not gzip', async () => {
  await expect(readDotenv(Buffer.from('A=1'), 'gzip')).rejects.toThrow('Invalid Format');
});

test('takes as many bytes and variables as the bounds say, and no more', async () => {
  const { bytes, variables } = DOTENV_LIMITS;
  const many = Array.from({ length: variables }, (_, index) => `K${index}=v`).join('\n');
  expect(Object.keys(await read(many))).toHaveLength(variables);
  await expect(read(many, 'ONE_MORE=v')).rejects.toThrow('cannot have more than 20 variables');
  const long = `A=${'x'.repeat(bytes - 2)}`;
  expect((await read(long)).A).toHaveLength(bytes - 2);
  const tooBig = 'Dotenv Artifact Too Big. Maximum Allowable Size: 5120';
  await expect(read(`${long}x`)).rejects.toThrow(tooBig);
  await expect(read(long, '\n')).rejects.toThrow(tooBig);
  await expect(readDotenv(Buffer.from(`${long}x`), 'raw')).rejects.toThrow(tooBig);
  // A small file that unpacks to a large one.
  await expect(read(`A=${'x'.repeat(10_000_000)}`)).rejects.toThrow(tooBig);
});
