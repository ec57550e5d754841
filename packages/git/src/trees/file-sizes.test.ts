import { expect, test } from 'vitest';
import { addOddRepository, createFixture } from '../testing/fixture.ts';
import { gitText } from '../testing/stock-git.ts';
import { parseFileSizes } from './file-sizes.ts';

test('regular files are listed with their sizes, whatever their names', async ({ onTestFinished }) => {
  const fixture = await createFixture();
  onTestFinished(() => fixture.close());
  const repository = addOddRepository(fixture);
  const oid = gitText(repository.gitDir, ['rev-parse', 'main']);
  const listing = await repository.fileListing(oid);
  expect(listing.treeOid).toBe(gitText(repository.gitDir, ['rev-parse', 'main^{tree}']));
  const found = [...parseFileSizes(await listing.read())];
  const listed = (...how: string[]) =>
    gitText(repository.gitDir, ['ls-tree', '-r', '-z', ...how, oid])
      .split('\0')
      .filter((one) => one !== '');
  const isRegular = listed('--format=%(objectmode)').map((mode) => mode.startsWith('100'));
  const regular = (all: string[]) => all.filter((_, at) => isRegular[at]);
  expect(found.map(({ path }) => path)).toEqual(regular(listed('--name-only')));
  expect(found.map(({ size }) => size)).toEqual(regular(listed('--format=%(objectsize)')).map(Number));
  expect(found.length).toBeGreaterThan(10);
});

test('a listing that was cut ends with its last whole entry', () => {
  const line = `100644 blob ${'a'.repeat(40)}       3\t`;
  const cut = Buffer.from(`${line}a b\tc\x00120000 blob ${'a'.repeat(40)}  1\tlink\x00${line}half`);
  expect([...parseFileSizes(cut)]).toEqual([{ path: 'a b\tc', size: 3 }]);
});
