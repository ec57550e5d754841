import type { RequestOf } from '@forgelog/contracts/operation.ts';
import {
  searchCode,
  searchCodeAcross,
  searchRepo,
} from '@forgelog/contracts/repo/search/repo-search.operations.ts';
import { groupWikiPages, wikiPages } from '@forgelog/contracts/repo/wikis/wiki-page.api.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import {
  groupCreated,
  groupMemberAdded,
  memberAdded,
  projectCreated,
  userCreated,
} from '@forgelog/testing/sample-events.ts';
import { expect, test } from 'vitest';
import type { RepoPorts } from '../ports.ts';
import { projectsProjection } from '../projects/projects.projection.ts';
import { samplePrincipal } from '../testing/sample-principal.ts';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { wikiSlice } from '../wikis/wiki.slice.ts';
import { repoSearchSlice } from './repo-search.slice.ts';

const [OWNER, REPORTER, GUEST, STRANGER] = [1, 2, 3, 4];
const [OPEN, CLOSED, NO_WIKI, NO_CODE] = [7, 8, 9, 10];
const GROUP = 11;
const given = [
  ...[OWNER, REPORTER, GUEST, STRANGER].map((id) => userCreated(id)),
  projectCreated(OPEN, { visibility: 'public' }),
  projectCreated(CLOSED),
  projectCreated(NO_WIKI, { visibility: 'public', settings: { wiki_access_level: 'private' } }),
  ...[groupCreated(GROUP, { visibility: 'public' }), groupMemberAdded(GROUP, OWNER, 30)],
  projectCreated(NO_CODE, { visibility: 'public', settings: { repository_access_level: 'private' } }),
  ...[memberAdded(CLOSED, REPORTER, 20), memberAdded(CLOSED, GUEST, 10)],
];
const SLICES = [
  ...[repoSearchSlice, wikiSlice],
  defineSlice<RepoPorts>({ projections: [projectsProjection] }),
];

/** Placeholders stand in what only the gateway completes. */
const parsed = (item: string) => JSON.parse(item.replace(/\p{Cc}/gu, ''));

const PAGE = { number: 1, size: 20, offset: 0, keyset: null };

async function started() {
  const running = await startRepoSlices(SLICES, given);
  const { operations } = running.ports;
  /** What the caller finds, parsed. */
  async function find(asked: Partial<RequestOf<typeof searchCode>>, as = STRANGER) {
    const request = { scope: 'blobs', projectId: OPEN, ref: null, search: '', page: PAGE, ...asked } as const;
    const { items, next } = await operations.call(searchCode, request, { principal: samplePrincipal(as) });
    return { items: items.map(parsed), next };
  }
  async function findPages(asked: Partial<RequestOf<typeof searchRepo>>, as = STRANGER) {
    const place = { groupId: null, projectId: null };
    const request = {
      scope: 'wiki_blobs',
      ...place,
      search: '',
      byTime: null,
      page: PAGE,
      ...asked,
    } as const;
    const { items } = await operations.call(searchRepo, request, { principal: samplePrincipal(as) });
    return items.map(parsed);
  }
  const paths = async (asked: Parameters<typeof find>[0], as?: number) =>
    (await find(asked, as)).items.map(({ path }) => path);
  return { ...running, find, findPages, paths };
}

test('files are found by what their lines hold, and by their paths first', async () => {
  const { commit, find, paths } = await started();
  const lines = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`);
  const tip = await commit(OPEN, 'main', {
    'src/pump.c': [...lines, 'int startEngine(void) { return 1; }', 'after'].join('\n'),
    'docs/startengine.md': 'How to begin',
    'b.bin': 'startEngine\0',
    'README.md': 'Other',
    'umlaut.txt': 'Der MOTOR läuft: a.b*c[d',
  });
  const { items, next } = await find({ search: 'startengine' });
  expect(items).toEqual([
    expect.objectContaining({ path: 'docs/startengine.md', startline: 1, data: 'How to begin' }),
    {
      ...{ basename: 'src/pump', path: 'src/pump.c', filename: 'src/pump.c', ref: 'main', project_id: OPEN },
      id: expect.stringMatching(/^[0-9a-f]{40}$/),
      ...{ startline: 18, data: 'line 18\nline 19\nline 20\nint startEngine(void) { return 1; }\nafter' },
    },
  ]);
  expect(next).toEqual({ by: 'offset', total: 2, more: false });
  // Signs mean themselves, and nothing to git.
  expect(await paths({ search: 'a.b*c[d' })).toEqual(['umlaut.txt']);
  expect(await paths({ search: 'axb' })).toEqual([]);
  expect(await paths({ search: '--open-files-in-pager=touch x' })).toEqual([]);
  expect(await paths({ search: 'startEngine\nOther' })).toEqual([]);
  expect(await paths({ search: 'i' })).toContain('src/pump.c');
  expect(await paths({ search: 'line extension:c' })).toEqual(['src/pump.c']);
  expect(await paths({ search: 'line -extension:c' })).toEqual([]);
  expect(await paths({ search: 'filename:README*' })).toEqual(['README.md']);
  expect(await paths({ search: 'how', ref: tip })).toEqual(['docs/startengine.md']);
});

test('code is found as it is at once, on the branch that is asked for', async () => {
  const { commit, paths } = await started();
  expect(await paths({ search: 'engine' })).toEqual([]);
  await commit(OPEN, 'main', { 'a.txt': 'engine' });
  expect(await paths({ search: 'engine' })).toEqual(['a.txt']);
  await commit(OPEN, 'main', { 'a.txt': 'motor', 'b.txt': 'an engine' });
  expect(await paths({ search: 'engine' })).toEqual(['b.txt']);
  expect(await paths({ search: 'motor' })).toEqual(['a.txt']);
  await commit(OPEN, 'main', { 'b.txt': null });
  expect(await paths({ search: 'engine' })).toEqual([]);
  await commit(OPEN, 'topic', { 'c.txt': 'engine' });
  expect(await paths({ search: 'engine' })).toEqual([]);
  expect(await paths({ search: 'engine', ref: 'topic' })).toEqual(['c.txt']);
  await expect(paths({ search: 'engine', ref: 'lost' })).rejects.toMatchObject({ code: 'not_found' });
  await expect(paths({ search: ' ' })).rejects.toMatchObject({ code: 'invalid_parameters' });
});

test('a large file is found by its path alone, on any branch, and a long line is cut', async () => {
  const { commit, find } = await started();
  const files = {
    'long.txt': `${'x'.repeat(50_000)} engine`,
    'large.txt': `engine\n${'y\n'.repeat(600_000)}`,
  };
  await commit(OPEN, 'main', files);
  await commit(OPEN, 'topic', files);
  for (const ref of ['main', 'topic']) {
    const { items } = await find({ search: 'engine', ref });
    expect(items.map(({ path, data }) => [path, data.length])).toEqual([['long.txt', 10_000]]);
    expect((await find({ search: 'large', ref })).items).toMatchObject([{ path: 'large.txt', data: '' }]);
  }
});

test('pages by number and by cursor tell the same', async () => {
  const { commit, find } = await started();
  await commit(OPEN, 'main', Object.fromEntries([1, 2, 3, 4, 5].map((at) => [`${at}.txt`, 'engine'])));
  const second = await find({ search: 'engine', page: { number: 2, size: 2, offset: 2, keyset: null } });
  expect(second.items.map(({ path }) => path)).toEqual(['3.txt', '4.txt']);
  expect(second.next).toEqual({ by: 'offset', total: 5, more: true });
  const walked: string[] = [];
  for (let after: never | null = null; ; ) {
    const page = { number: 1, size: 2, offset: 0, keyset: { parameter: 'cursor', after } };
    const { items, next } = await find({ search: 'engine', page });
    walked.push(...items.map(({ path }) => path));
    after = (next as { after: never | null }).after;
    if (after === null) break;
    // A cursor keeps the commit of the first page.
    await commit(OPEN, 'main', { '0.txt': 'engine' });
  }
  expect(walked).toEqual(['1.txt', '2.txt', '3.txt', '4.txt', '5.txt']);
});

test('commits are found by their messages and ids', async () => {
  const { commit, find } = await started();
  const first = await commit(OPEN, 'main', { a: '1' }, 'Start the ENGINE [now].*');
  const second = await commit(OPEN, 'main', { a: '2' }, 'Stop\n\nThe engine is loud');
  const other = await commit(OPEN, 'topic', { b: '1' }, 'Tune the engine');
  const ids = async (search: string, more: object = {}) =>
    (await find({ scope: 'commits', search, ...more })).items.map(({ id }) => id);
  expect(await ids('engine')).toEqual([second, first]);
  expect(await ids('[NOW].*')).toEqual([first]);
  expect(await ids('.*')).toEqual([first]);
  expect(await ids('tune')).toEqual([]);
  expect(await ids('tune', { ref: 'topic' })).toEqual([other]);
  expect(await ids(first.slice(0, 9))).toEqual([first]);
  expect(await ids(other)).toEqual([]);
  expect(await ids('engine', { page: { ...PAGE, size: 1, offset: 1, number: 2 } })).toEqual([first]);
  expect((await find({ scope: 'commits', search: 'loud' })).items).toMatchObject([
    { title: 'Stop', project_id: OPEN, author_name: 'Ann Author' },
  ]);
});

test('who may not read the code finds nothing in it', async () => {
  const { commit, paths, find } = await started();
  await commit(CLOSED, 'main', { 'a.txt': 'engine' }, 'engine');
  const asked = { projectId: CLOSED, search: 'engine' };
  for (const [as, found] of [
    [OWNER, ['a.txt']],
    [REPORTER, ['a.txt']],
    [GUEST, []],
    [STRANGER, []],
  ] as const) {
    expect(await paths(asked, as)).toEqual(found);
    expect((await find({ ...asked, scope: 'commits' }, as)).items).toHaveLength(found.length);
  }
  expect(await paths({ projectId: 99, search: 'engine' })).toEqual([]);
});

test('code is found in all projects whose code the caller may read', async () => {
  const { commit, ports } = await started();
  await commit(OPEN, 'main', { 'a.txt': 'the engine', 'b/engine.md': 'x', 'c.txt': 'engine' });
  await commit(CLOSED, 'main', { 'd.txt': 'engine' });
  await commit(NO_CODE, 'main', { 'e.txt': 'engine' });
  const find = async (as: number, asked: Partial<RequestOf<typeof searchCodeAcross>> = {}) => {
    const request = { projectId: OPEN, groupId: null, search: 'engine', offset: 0, limit: 21, ...asked };
    const principal = samplePrincipal(as);
    const { items, total } = await ports.operations.call(searchCodeAcross, request, { principal });
    return { found: items.map((item) => `${parsed(item).project_id} ${parsed(item).path}`), total };
  };
  const open = ['7 b/engine.md', '7 a.txt', '7 c.txt'];
  // On a busy machine the index may be later than a search waits.
  await expect.poll(() => find(OWNER)).toMatchObject({ total: 5 });
  expect(await find(STRANGER)).toEqual({ found: open, total: 3 });
  expect(await find(GUEST)).toEqual({ found: open, total: 3 });
  expect(await find(REPORTER)).toEqual({ found: [...open, '8 d.txt'], total: 4 });
  expect((await find(OWNER)).found.toSorted()).toEqual([...open, '8 d.txt', '10 e.txt'].toSorted());
  expect(await find(STRANGER, { offset: 1, limit: 1 })).toEqual({ found: ['7 a.txt'], total: null });
  expect((await find(STRANGER, { search: 'engine extension:md' })).found).toEqual(['7 b/engine.md']);
  expect((await find(OWNER, { groupId: 99 })).found).toEqual([]);
  for (const search of ['en', 'extension:md'])
    await expect(find(OWNER, { search })).rejects.toMatchObject({ code: 'invalid_parameters' });
  // What was just pushed is found, and what is gone is not.
  await commit(OPEN, 'main', { 'a.txt': 'motor', 'f.txt': 'engine' });
  const anew = ['7 b/engine.md', '7 c.txt', '7 f.txt'];
  await expect.poll(async () => (await find(STRANGER)).found).toEqual(anew);
});

test('pages of wikis are found as far as the caller reads the wiki', async () => {
  const { call, findPages } = await started();
  const write = (id: number, title: string, content: string) =>
    call(wikiPages.create, { id, title, content }, OWNER);
  await write(OPEN, 'Pump', 'one\ntwo\nthree\nfour\nThe Engine runs.\nsix');
  await write(OPEN, 'parts/Engine', 'Bolts');
  await write(CLOSED, 'Closed', 'engine');
  await write(NO_WIKI, 'Members', 'engine');
  // Wikis of groups are not searched.
  await call(groupWikiPages.create, { id: GROUP, title: 'Engine', content: 'engine' }, OWNER);
  const paths = async (as: number, asked: object = {}) =>
    (await findPages({ search: 'engine', ...asked }, as)).map(({ path }) => path).sort();
  expect(await paths(OWNER)).toEqual(['Closed.md', 'Members.md', 'Pump.md', 'parts/Engine.md']);
  expect(await paths(GUEST)).toEqual(['Closed.md', 'Pump.md', 'parts/Engine.md']);
  expect(await paths(STRANGER)).toEqual(['Pump.md', 'parts/Engine.md']);
  expect(await paths(OWNER, { projectId: CLOSED })).toEqual(['Closed.md']);
  expect(await findPages({ search: 'engine' })).toEqual([
    // Its title has the word.
    expect.objectContaining({ basename: 'parts/Engine', data: 'Bolts', startline: 1 }),
    {
      ...{ basename: 'Pump', path: 'Pump.md', filename: 'Pump.md', id: null, ref: 'main', project_id: OPEN },
      ...{ startline: 2, data: 'two\nthree\nfour\nThe Engine runs.\nsix' },
    },
  ]);
  await call(wikiPages.update, { id: OPEN, slug: 'Pump', title: 'Motor', content: 'quiet' }, OWNER);
  expect(await paths(STRANGER)).toEqual(['parts/Engine.md']);
  expect(await paths(STRANGER, { search: 'motor' })).toEqual(['Motor.md']);
  await call(wikiPages.delete, { id: OPEN, slug: 'Motor' }, OWNER);
  expect(await paths(STRANGER, { search: 'motor' })).toEqual([]);
});
