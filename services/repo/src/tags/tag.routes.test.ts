import { createTag, deleteTag, getTag, listTags } from '@forgelog/contracts/repo/tags/tag.api.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import { DEVELOPER, OUTSIDER, OWNER, REPORTER, team } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import { releaseSlice } from '../releases/release.slice.ts';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { tagSlice } from './tag.slice.ts';

const one = { id: 7, tag_name: 'v1.0.0' };
const namesOf = ({ body }: { body: { name: string }[] }) => body.map(({ name }) => name);

/** A project with one commit on `main`, and a clock that a test sets. */
async function started() {
  let now = Date.parse('2030-01-01T00:00:00Z');
  const running = await startRepoSlices([tagSlice, releaseSlice], team, () => new Date(now));
  const tip = await running.commit(7, 'main', { 'README.md': 'Hello' }, 'Begin');
  return {
    ...running,
    tip,
    pass(seconds: number) {
      now += seconds * 1000;
    },
  };
}

test('a developer tags a commit lightly, reads the tag and deletes it', async () => {
  const { call, tip } = await started();
  const created = await call(createTag, { ...one, ref: 'main' }, DEVELOPER);
  expect(created).toMatchObject({
    status: 201,
    body: {
      name: 'v1.0.0',
      message: '',
      target: tip,
      commit: { id: tip, title: 'Begin' },
      release: null,
      protected: false,
    },
    events: [
      { type: 'RefUpdated', data: { ref: 'refs/tags/v1.0.0', oldOid: ZERO_OID, newOid: tip } },
      { type: 'PushReceived' },
    ],
  });
  expect(await call(getTag, one, DEVELOPER)).toMatchObject({ status: 200, body: created.body });
  expect(await call(deleteTag, one, DEVELOPER)).toMatchObject({
    status: 204,
    events: [
      { type: 'RefUpdated', data: { ref: 'refs/tags/v1.0.0', oldOid: tip, newOid: ZERO_OID } },
      { type: 'PushReceived' },
    ],
  });
  for (const endpoint of [getTag, deleteTag])
    expect(await call(endpoint, one, DEVELOPER)).toMatchObject({
      status: 404,
      body: { message: '404 Tag Not Found' },
    });
});

test('a tag with a message is an object of its own', async () => {
  const { call, repo, tip } = await started();
  const { body } = await call(createTag, { ...one, ref: 'main', message: 'First release\n' }, DEVELOPER);
  expect(body).toMatchObject({ message: 'First release', commit: { id: tip } });
  expect(body.target).not.toBe(tip);
  const tag = await repo.repositories.of(7).tag('v1.0.0');
  expect(tag).toMatchObject({ oid: body.target, commitOid: tip });
});

test('a list is ordered by time, name or version, and searched', async () => {
  const { call, commit, pass } = await started();
  for (const tag_name of ['v1.10.0', 'v1.9.0', 'nightly']) {
    pass(60);
    await commit(7, 'main', { a: tag_name });
    await call(createTag, { id: 7, tag_name, ref: 'main' }, OWNER);
  }
  const found = async (filter: object) => namesOf(await call(listTags, { id: 7, ...filter }, REPORTER));
  expect(await found({})).toEqual(['nightly', 'v1.9.0', 'v1.10.0']);
  expect(await found({ sort: 'asc' })).toEqual(['v1.10.0', 'v1.9.0', 'nightly']);
  expect(await found({ order_by: 'name', sort: 'asc' })).toEqual(['nightly', 'v1.10.0', 'v1.9.0']);
  expect((await found({ order_by: 'version' })).slice(0, 2)).toEqual(['v1.10.0', 'v1.9.0']);
  expect(await found({ search: '^v1', per_page: 1, page: 2 })).toEqual(['v1.10.0']);
  expect((await call(listTags, { id: 7, order_by: 'luck' }, REPORTER)).status).toBe(400);
});

test('a reporter reads, and others do not see the project', async () => {
  const { call } = await started();
  await call(createTag, { ...one, ref: 'main' }, OWNER);
  expect((await call(getTag, one, REPORTER)).status).toBe(200);
  const refused = [];
  for (const caller of [REPORTER, OUTSIDER, null]) {
    refused.push(await call(createTag, { id: 7, tag_name: 'x', ref: 'main' }, caller));
    refused.push(await call(deleteTag, one, caller));
  }
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 404, 404, 401, 401]);
  expect(refused.flatMap(({ events }) => events)).toEqual([]);
  expect((await call(listTags, { id: 7 }, OUTSIDER)).status).toBe(404);
});

test('what is wrong is said, and nothing is tagged', async () => {
  const { call } = await started();
  await call(createTag, { ...one, ref: 'main' }, OWNER);
  for (const [params, body] of [
    [{}, { error: 'tag_name is missing, ref is missing' }],
    [{ tag_name: 'x', ref: '' }, { error: 'ref is empty' }],
    [{ tag_name: 'a..b', ref: 'main' }, { message: expect.stringContaining('invalid') }],
    [{ tag_name: 'x', ref: 'nothing' }, { message: 'Target nothing is invalid' }],
    [{ tag_name: 'v1.0.0', ref: 'main' }, { message: 'Tag v1.0.0 already exists' }],
    [{ tag_name: 'v1.0.0/x', ref: 'main' }, { message: 'Another tag is in the way of this name' }],
    [{ tag_name: 'main', ref: 'main' }, { message: 'You cannot use default branch name to create a tag' }],
  ] as const)
    expect(await call(createTag, { id: 7, ...params }, OWNER)).toMatchObject({
      status: 400,
      body,
      events: [],
    });
});
