import { mkdir, mkdtemp, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createAdvisoryDatabase } from './advisory-database.ts';

const range = (...events: object[]) => ({ type: 'SEMVER', events });
const advisory = (id: string, more: object = {}, affected: object = {}) => ({
  id,
  summary: 'Prototype pollution',
  database_specific: { severity: 'HIGH' },
  affected: [
    {
      package: { ecosystem: 'npm', name: 'lodash' },
      ranges: [range({ introduced: '0' }, { fixed: '4.17.21' })],
      ...affected,
    },
  ],
  ...more,
});

async function folderOf(files: Readonly<Record<string, object | string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'advisories-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

async function started(folder: string, bounds: object = {}) {
  const logged: string[] = [];
  const note = (said: object, message: string) => void logged.push(`${message} ${JSON.stringify(said)}`);
  let now = Date.now();
  const clock = () => new Date(now);
  const log = { info: () => {}, warn: note, error: note } as never;
  const database = createAdvisoryDatabase({ folder, log, clock, bounds });
  onTestFinished(() => database.stop());
  await database.start();
  const of = async (name: string, version: string | null, manager = 'npm' as const) =>
    (await database.lookup())({ manager, name, version }).map((found) => found.name.split(':')[0]);
  const later = () => {
    now += 120_000;
  };
  return { database, logged, of, later };
}

test('a package is found by its name and version', async () => {
  const two = range(
    { introduced: '0' },
    { fixed: '1.2.0' },
    { introduced: '2.0.0' },
    { last_affected: '2.3.0' },
  );
  const { of, database } = await started(
    await folderOf({
      'npm/GHSA-1.json': advisory('GHSA-1'),
      'npm/GHSA-2.json': advisory('GHSA-2', {}, { ranges: [two] }),
    }),
  );
  expect(await of('lodash', '1.1.9')).toEqual(['GHSA-1', 'GHSA-2']);
  expect(await of('lodash', '1.2.0')).toEqual(['GHSA-1']);
  expect(await of('lodash', '2.3.0')).toEqual(['GHSA-1', 'GHSA-2']);
  expect(await of('lodash', '2.3.1')).toEqual(['GHSA-1']);
  expect(await of('lodash', '4.17.21')).toEqual([]);
  expect(await of('lodash', null)).toEqual([]);
  expect(await of('lodash', 'git+ssh://git@example.org/lodash.git#1')).toEqual([]);
  expect(await of('Lodash', '1.0.0')).toEqual([]);
  expect((await database.lookup())({ manager: 'pip', name: 'lodash', version: '1.0.0' })).toEqual([]);
  expect((await database.lookup())({ manager: 'pnpm', name: 'lodash', version: '4.0.0' })).toEqual([
    { name: 'GHSA-1: Prototype pollution', severity: 'high' },
  ]);
});

test.each([
  ['composer', 'Packagist', 'symfony/Http', 'Symfony/http', '1.0.0'],
  ['poetry', 'PyPI', 'zope.interface', 'Zope_Interface', '1.0'],
  ['maven', 'Maven:https://repo.example.org', 'org.a:b', 'org.a/b', '1.0'],
  ['go', 'Go', 'example.org/a', 'example.org/a', 'v1.0.0'],
] as const)(
  '%s packages are found in %s, however they are spelt',
  async (manager, ecosystem, known, name, version) => {
    const affected = { package: { ecosystem, name: known } };
    const { database } = await started(await folderOf({ 'A.json': advisory('A-1', {}, affected) }));
    expect((await database.lookup())({ manager, name, version })).toHaveLength(1);
  },
);

test('versions that are listed count where no range says it', async () => {
  const affected = { ranges: [{ type: 'GIT', events: [{ introduced: '0' }] }], versions: ['1.0.0'] };
  const { of } = await started(await folderOf({ 'A.json': advisory('A-1', {}, affected) }));
  expect(await of('lodash', '1.0.0')).toEqual(['A-1']);
  expect(await of('lodash', '1.0.1')).toEqual([]);
});

test('one vulnerability under two ids counts once, and a withdrawn one not at all', async () => {
  const { of } = await started(
    await folderOf({
      'GHSA.json': advisory('GHSA-1', { aliases: ['CVE-1'] }),
      'other/OTHER.json': advisory('OTHER-1', { aliases: ['CVE-1'] }),
      'withdrawn.json': advisory('GHSA-3', { withdrawn: '2026-01-01T00:00:00Z' }),
    }),
  );
  expect(await of('lodash', '1.0.0')).toEqual(['GHSA-1']);
});

test.each([
  [{ database_specific: { severity: 'MODERATE' } }, 'medium'],
  [
    {
      database_specific: null,
      severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }],
    },
    'critical',
  ],
  [
    {
      database_specific: { severity: 'constructor' },
      severity: [{ type: 'CVSS_V4', score: 'CVSS:4.0/AV:N' }],
    },
    'unknown',
  ],
  [{ database_specific: { severity: { toLowerCase: 1 } } }, 'unknown'],
])('%j is %s', async (more, severity) => {
  const { database } = await started(await folderOf({ 'A.json': advisory('A-1', more) }));
  const [found] = (await database.lookup())({ manager: 'npm', name: 'lodash', version: '1.0.0' });
  expect(found!.severity).toBe(severity);
});

test('files that are hostile are named and left out, and the others count', async () => {
  const folder = await folderOf({
    'good.json': advisory('GOOD-1'),
    'broken.json': '{"id":',
    'list.json': '[]',
    'deep.json': '['.repeat(100_000),
    'many.json': advisory('MANY-1', {}, { versions: Array(10_001).fill('1.0.0') }),
    'long.json': advisory('LONG-1', {}, { ranges: [range({ introduced: '9'.repeat(300) })] }),
    'proto.json':
      '{"id":"P-1","__proto__":{"id":1},"affected":[{"package":{"ecosystem":"__proto__","name":"x"}}]}',
    'alias.json': advisory('ALIAS-1', { aliases: [1] }),
    'nothing.json': 'null',
    'notes.txt': 'no advisory',
    '.hidden.json': '{',
    'empty.json': '',
    'huge.json': '',
  });
  await truncate(join(folder, 'huge.json'), 8 * 1024 * 1024 * 1024);
  await symlink('/etc', join(folder, 'link'));
  await symlink('/dev/zero', join(folder, 'zero.json'));
  const { of, logged } = await started(folder);
  expect(await of('lodash', '1.0.0')).toEqual(['GOOD-1']);
  const names = logged.map((line) => /"file":"([^"]+)"/.exec(line)?.[1]).sort();
  expect(names).toEqual(
    ['alias', 'broken', 'deep', 'empty', 'huge', 'list', 'long', 'many', 'nothing'].map(
      (name) => `${name}.json`,
    ),
  );
});

test('more than is held is left out, and the log says so', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`${at}.json`, advisory(`A-${at}`)]),
  );
  const folder = await folderOf(files);
  const few = await started(folder, { files: 10 });
  expect(await few.of('lodash', '1.0.0')).toHaveLength(10);
  expect(few.logged).toEqual([expect.stringContaining('holds more than is read')]);
  const light = await started(folder, { weightOfPackage: 9, named: 2 });
  expect(await light.of('lodash', '1.0.0')).toHaveLength(3);
  expect(light.logged).toHaveLength(2);
});

test('a package with very many ranges is looked up at once', async () => {
  const turns = Array.from({ length: 500 }, (_, at) => [
    { introduced: `${at}.0.0` },
    { fixed: `${at}.5.0` },
  ]).flat();
  const files = Object.fromEntries(
    Array.from({ length: 9 }, (_, at) => [
      `${at}.json`,
      advisory(`A-${at}`, {}, { ranges: [range(...turns)] }),
    ]),
  );
  const { of } = await started(await folderOf(files));
  await of('lodash', '1.0.0');
  const began = performance.now();
  for (let at = 0; at < 200; at += 1) expect(await of('lodash', '499.6.0')).toEqual([]);
  expect(performance.now() - began).toBeLessThan(2_000);
});

test('files that come, change and go are read again, and what cannot be read leaves the rest as it was', async () => {
  const folder = await folderOf({ 'npm/A.json': advisory('A-1') });
  const { of, later, logged } = await started(folder);
  expect(await of('lodash', '1.0.0')).toEqual(['A-1']);
  await writeFile(join(folder, 'npm/B.json'), JSON.stringify(advisory('B-1')));
  expect(await of('lodash', '1.0.0')).toEqual(['A-1']);
  later();
  await expect.poll(() => of('lodash', '1.0.0')).toEqual(['A-1', 'B-1']);
  await rm(join(folder, 'npm/A.json'));
  later();
  await expect.poll(() => of('lodash', '1.0.0')).toEqual(['B-1']);
  await rename(join(folder, 'npm'), join(folder, 'new'));
  await writeFile(join(folder, 'C.json'), JSON.stringify(advisory('C-1')));
  later();
  await expect.poll(() => of('lodash', '1.0.0')).toEqual(['B-1', 'C-1']);
  expect(logged).toEqual([]);
  await rename(folder, `${folder}-away`);
  later();
  await expect.poll(() => of('lodash', '1.0.0').then(() => logged)).toHaveLength(1);
  expect(await of('lodash', '1.0.0')).toEqual(['B-1', 'C-1']);
  await rename(`${folder}-away`, folder);
});

test('a folder that is none is told at the start', async () => {
  const folder = await folderOf({ 'A.json': '{}' });
  for (const path of [join(folder, 'none'), join(folder, 'A.json')])
    await expect(started(path)).rejects.toThrow(/VULNERABILITY_DATABASE: .* is no folder/);
});
