import { groupWikiPages, wikiPages } from '@forgelog/contracts/repo/wikis/wiki-page.api.ts';
import {
  groupCreated,
  groupMemberAdded,
  memberAdded,
  projectCreated,
  userCreated,
} from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { wikiSlice } from './wiki.slice.ts';

const [OWNER, DEVELOPER, REPORTER, STRANGER] = [1, 2, 3, 4];
const given = [
  ...[OWNER, DEVELOPER, REPORTER, STRANGER].map((id) => userCreated(id)),
  projectCreated(7, { visibility: 'public' }),
  projectCreated(8, { visibility: 'public' }),
  memberAdded(7, DEVELOPER, 30),
  memberAdded(7, REPORTER, 20),
];
const started = () => startSlices([wikiSlice], given);
const crank = { id: 7, title: 'engines/The crank', content: 'Turn it.' };

test('a developer writes a page, everybody who sees the wiki reads it, and a maintainer deletes it', async () => {
  const { call } = await started();
  const page = { format: 'markdown', slug: 'engines/The-crank', title: 'The crank', content: 'Turn it.' };
  expect((await call(wikiPages.create, crank, REPORTER)).status).toBe(403);
  expect(await call(wikiPages.create, crank, DEVELOPER)).toMatchObject({
    ...{ status: 201, body: page, events: [{ type: 'WikiPageCreated' }] },
  });
  const one = { id: 7, slug: page.slug };
  for (const as of [OWNER, STRANGER, null]) expect((await call(wikiPages.get, one, as)).body).toEqual(page);
  // A title finds its page too.
  expect((await call(wikiPages.get, { id: 7, slug: 'engines/The crank' }, null)).status).toBe(200);
  const moved = await call(wikiPages.update, { ...one, title: '/Handle', format: 'org' }, DEVELOPER);
  expect(moved.body).toEqual({ ...page, format: 'org', slug: 'Handle', title: 'Handle' });
  const absent = [one, { id: 7, slug: '../x' }, { id: 8, slug: 'Handle' }];
  for (const params of absent)
    expect(await call(wikiPages.get, params, OWNER)).toMatchObject({
      ...{ status: 404, body: { message: '404 Wiki Page Not Found' } },
    });
  const there = { id: 7, slug: 'Handle' };
  const written = await call(wikiPages.update, { ...there, content: 'Twice.' }, DEVELOPER);
  expect(written).toMatchObject({ body: { content: 'Twice.', format: 'org' } });
  expect((await call(wikiPages.delete, there, DEVELOPER)).status).toBe(403);
  const early = { headers: { 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' } };
  expect((await call(wikiPages.delete, there, OWNER, early)).status).toBe(412);
  expect((await call(wikiPages.delete, there, OWNER)).status).toBe(204);
  expect((await call(wikiPages.get, there, OWNER)).status).toBe(404);
});

test('a list has all pages by their slugs, with texts where they are asked for', async () => {
  const { call } = await started();
  expect((await call(wikiPages.list, { id: 7 }, null)).body).toEqual([]);
  expect((await call(wikiPages.list, { id: 7, with_content: true }, null)).body).toEqual([]);
  // More than one page of any other list, and more than are read at once.
  const slugs = Array.from({ length: 130 }, (_, at) => `page-${String(at).padStart(3, '0')}`);
  for (const title of slugs.toReversed())
    await call(wikiPages.create, { id: 7, title, content: `"${title}"\n\u0001` }, OWNER);
  const summaries = (await call(wikiPages.list, { id: 7 }, STRANGER)).body;
  expect(summaries.map(({ slug }: { slug: string }) => slug)).toEqual(slugs);
  expect(summaries[0]).toEqual({ format: 'markdown', slug: 'page-000', title: 'page 000' });
  const whole = (await call(wikiPages.list, { id: 7, with_content: true }, STRANGER)).body;
  expect(whole).toEqual(
    summaries.map((page: { slug: string }) => ({ ...page, content: `"${page.slug}"\n\u0001` })),
  );
});

test('two who create the same page at once make one', async () => {
  const { call } = await started();
  const both = await Promise.all([OWNER, DEVELOPER].map((as) => call(wikiPages.create, crank, as)));
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 400]);
  expect((await call(wikiPages.list, { id: 7 }, null)).body).toHaveLength(1);
});

test("a wiki that a project keeps to its members is theirs, and one that it switches off is nobody's", async () => {
  const { call } = await startSlices(
    [wikiSlice],
    [
      ...given,
      projectCreated(9, { visibility: 'public', settings: { wiki_access_level: 'private' } }),
      projectCreated(10, { visibility: 'public', settings: { wiki_access_level: 'disabled' } }),
    ],
  );
  const statuses = async (id: number) =>
    Promise.all([OWNER, STRANGER, null].map(async (as) => (await call(wikiPages.list, { id }, as)).status));
  expect(await statuses(9)).toEqual([200, 403, 403]);
  expect(await statuses(10)).toEqual([403, 403, 403]);
});

test('a group has a wiki of its own, by the rights in the group', async () => {
  const { call } = await startSlices(
    [wikiSlice],
    [
      ...given,
      groupCreated(9),
      groupCreated(10, { parentId: 9, fullPath: 'group9/group10' }),
      groupMemberAdded(9, OWNER, 40),
      groupMemberAdded(9, DEVELOPER, 30),
      groupMemberAdded(9, REPORTER, 20),
    ],
  );
  const page = { title: 'Crank', content: 'Turn it.' };
  expect((await call(groupWikiPages.create, { id: 9, ...page }, REPORTER)).status).toBe(403);
  expect((await call(groupWikiPages.create, { id: 9, ...page }, STRANGER)).status).toBe(404);
  const made = await call(groupWikiPages.create, { id: 9, ...page }, DEVELOPER);
  expect(made).toMatchObject({
    status: 201,
    events: [{ type: 'GroupWikiPageCreated', data: { groupId: 9 } }],
  });
  // The same title is free in other wikis: below, and in projects.
  expect((await call(groupWikiPages.create, { id: 10, ...page }, DEVELOPER)).status).toBe(201);
  expect((await call(wikiPages.create, { id: 7, ...page }, DEVELOPER)).status).toBe(201);
  expect((await call(groupWikiPages.create, { id: 9, ...page }, DEVELOPER)).status).toBe(400);
  const one = { id: 9, slug: 'Crank' };
  expect((await call(groupWikiPages.get, one, REPORTER)).body).toEqual(made.body);
  for (const as of [STRANGER, null]) expect((await call(groupWikiPages.get, one, as)).status).toBe(404);
  const change = { title: 'Handle', content: 'Twice.', format: 'org' };
  const changed = await call(groupWikiPages.update, { ...one, ...change }, DEVELOPER);
  expect(changed.events).toMatchObject([
    { type: 'GroupWikiPageUpdated' },
    { type: 'GroupWikiPageTextCommitted' },
  ]);
  const listed = await call(groupWikiPages.list, { id: 9, with_content: true }, REPORTER);
  expect(listed.body).toEqual([{ format: 'org', slug: 'Handle', title: 'Handle', content: 'Twice.' }]);
  const there = { id: 9, slug: 'Handle' };
  expect((await call(groupWikiPages.delete, there, DEVELOPER)).status).toBe(403);
  expect((await call(groupWikiPages.delete, there, OWNER)).status).toBe(204);
  expect((await call(groupWikiPages.list, { id: 9 }, REPORTER)).body).toEqual([]);
  expect((await call(groupWikiPages.list, { id: 10 }, REPORTER)).body).toHaveLength(1);
});
