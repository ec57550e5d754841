import {
  listOwnSnippets,
  listPublicSnippets,
  personalSnippets,
  projectSnippets,
} from '@forgelog/contracts/repo/snippets/snippet.api.ts';
import { memberAdded, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { snippetSlice } from './snippet.slice.ts';

const [OWNER, REPORTER, GUEST, STRANGER, EXTERNAL, ADMIN] = [1, 2, 3, 4, 5, 6];
const given = [
  ...[OWNER, REPORTER, GUEST, STRANGER].map((id) => userCreated(id)),
  userCreated(EXTERNAL, { external: true }),
  userCreated(ADMIN, { admin: true }),
  projectCreated(7, { visibility: 'public' }),
  projectCreated(8, { visibility: 'public' }),
  memberAdded(7, REPORTER, 20),
  memberAdded(7, GUEST, 10),
];
const started = () => startSlices([snippetSlice], given);
const text = { file_name: 'a.py', content: 'print(1)' };

test('a reporter writes a snippet, which members read and only its author and maintainers change', async () => {
  const { call } = await started();
  const made = await call(projectSnippets.create, { id: 7, title: 'Counting', ...text }, REPORTER);
  expect(made).toMatchObject({
    status: 201,
    body: {
      ...{ id: 1, project_id: 7, visibility: 'private', file_name: 'a.py', author: { id: REPORTER } },
      web_url: expect.stringMatching(/\/user1\/project7\/-\/snippets\/1$/),
      http_url_to_repo: expect.stringMatching(/\/user1\/project7\/snippets\/1\.git$/),
      files: [{ path: 'a.py', raw_url: expect.stringMatching(/\/-\/snippets\/1\/raw\/main\/a\.py$/) }],
    },
    events: [{ type: 'SnippetCreated' }],
  });
  const one = { id: 7, snippet_id: 1 };
  expect((await call(projectSnippets.get, one, GUEST)).body).toEqual(made.body);
  expect((await call(projectSnippets.raw, one, GUEST)).body.toString()).toBe('print(1)');
  const file = { ...one, ref: 'main', file_path: 'a.py' };
  const raw = await call(projectSnippets.rawFile, file, GUEST);
  expect(raw).toMatchObject({ headers: { 'content-type': 'text/plain; charset=utf-8' } });
  const known = { headers: { 'if-none-match': String(raw.headers.etag) } };
  expect((await call(projectSnippets.rawFile, file, GUEST, known)).status).toBe(304);
  for (const absent of [{ ref: 'other' }, { file_path: 'b' }])
    expect((await call(projectSnippets.rawFile, { ...file, ...absent }, GUEST)).status).toBe(404);
  for (const as of [STRANGER, EXTERNAL, null])
    expect((await call(projectSnippets.get, one, as)).status).toBe(404);
  expect((await call(projectSnippets.update, { ...one, title: 'x' }, GUEST)).status).toBe(403);
  const changed = await call(projectSnippets.update, { ...one, content: 'print(2)' }, REPORTER);
  expect(changed).toMatchObject({ status: 200, events: [{ type: 'SnippetFilesCommitted' }] });
  expect((await call(projectSnippets.update, { ...one, visibility: 'public' }, OWNER)).status).toBe(200);
  expect((await call(projectSnippets.get, one, null)).body).toMatchObject({ visibility: 'public' });
  expect((await call(projectSnippets.get, { ...one, id: 8 }, ADMIN)).status).toBe(404);
  expect((await call(projectSnippets.delete, one, OWNER)).status).toBe(204);
  expect((await call(projectSnippets.raw, one, OWNER)).status).toBe(404);
});

test('a personal one is seen by its visibility, and lists have what their caller may see', async () => {
  const { call } = await started();
  for (const visibility of ['private', 'internal', 'public'])
    await call(personalSnippets.create, { title: visibility, visibility, ...text }, STRANGER);
  await call(projectSnippets.create, { id: 7, title: 'in project', visibility: 'internal', ...text }, OWNER);
  const seen = async (as: number | null) => {
    const statuses = [1, 2, 3].map(async (id) => (await call(personalSnippets.get, { id }, as)).status);
    return Promise.all(statuses);
  };
  expect(await seen(STRANGER)).toEqual([200, 200, 200]);
  expect(await seen(ADMIN)).toEqual([200, 200, 200]);
  expect(await seen(OWNER)).toEqual([404, 200, 200]);
  expect(await seen(EXTERNAL)).toEqual([404, 404, 200]);
  expect(await seen(null)).toEqual([404, 404, 200]);
  // One of a project is no personal one.
  expect(await call(personalSnippets.get, { id: 4 }, OWNER)).toMatchObject({
    ...{ status: 404, body: { message: '404 Snippet Not Found' } },
  });
  const titles = ({ body }: { body: { title: string }[] }) => body.map(({ title }) => title);
  expect(titles(await call(listOwnSnippets, {}, STRANGER))).toEqual(['public', 'internal', 'private']);
  expect(titles(await call(listOwnSnippets, {}, OWNER))).toEqual(['in project']);
  expect(titles(await call(listPublicSnippets, {}, null))).toEqual(['public']);
  expect(titles(await call(projectSnippets.list, { id: 7 }, STRANGER))).toEqual(['in project']);
  expect(titles(await call(projectSnippets.list, { id: 7 }, EXTERNAL))).toEqual([]);
  expect((await call(personalSnippets.update, { id: 3, title: 'x' }, OWNER)).status).toBe(403);
  expect((await call(personalSnippets.delete, { id: 3 }, ADMIN)).status).toBe(204);
  expect((await call(personalSnippets.create, { title: 'x', ...text }, EXTERNAL)).status).toBe(403);
});

test('files are given in one form, and from where a snippet was made is for administrators', async () => {
  const { call } = await started();
  const files = [{ file_path: 'b', content: 'B' }];
  for (const wrong of [{ ...text, files }, { file_name: 'a' }, { content: 'a' }, {}])
    expect((await call(personalSnippets.create, { title: 'x', ...wrong }, OWNER)).status).toBe(400);
  const headers = { 'user-agent': 'curl/8' };
  expect((await call(personalSnippets.create, { title: 'x', files }, OWNER, { headers })).status).toBe(201);
  expect((await call(personalSnippets.userAgent, { id: 1 }, ADMIN)).body).toMatchObject({
    akismet_submitted: false,
  });
  expect((await call(personalSnippets.userAgent, { id: 1 }, OWNER)).status).toBe(403);
});
