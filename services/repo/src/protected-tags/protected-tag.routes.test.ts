import {
  createProtectedTag,
  deleteProtectedTag,
  getProtectedTag,
  listProtectedTags,
} from '@forgelog/contracts/repo/protected-tags/protected-tag.api.ts';
import { createTag, deleteTag, getTag } from '@forgelog/contracts/repo/tags/tag.api.ts';
import { memberAdded, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { expect, test } from 'vitest';
import { releaseSlice } from '../releases/release.slice.ts';
import { tagSlice } from '../tags/tag.slice.ts';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { protectedTagSlice } from './protected-tag.slice.ts';

const OWNER = 1;
const MAINTAINER = 2;
const DEVELOPER = 3;
const OUTSIDER = 4;
const given = [
  ...[OWNER, MAINTAINER, DEVELOPER, OUTSIDER].map((id) => userCreated(id)),
  projectCreated(7),
  memberAdded(7, MAINTAINER, 40),
  memberAdded(7, DEVELOPER, 30),
];
const started = () => startRepoSlices([protectedTagSlice, tagSlice, releaseSlice], given);

test('a maintainer protects tags by a wildcard, reads and ends the protection', async () => {
  const { call } = await started();
  const one = { id: 7, name: 'v*' };
  const shown = {
    name: 'v*',
    create_access_levels: [{ access_level: 40, access_level_description: 'Maintainers' }],
  };
  expect(await call(createProtectedTag, one, MAINTAINER)).toMatchObject({ status: 201, body: shown });
  expect((await call(getProtectedTag, one, MAINTAINER)).body).toEqual(shown);
  expect((await call(listProtectedTags, { id: 7 }, MAINTAINER)).body).toEqual([shown]);
  expect(await call(createProtectedTag, one, MAINTAINER)).toMatchObject({ status: 422, events: [] });
  expect(await call(deleteProtectedTag, one, MAINTAINER)).toMatchObject({
    status: 204,
    events: [{ type: 'ProtectedTagDeleted', data: { name: 'v*' } }],
  });
  expect((await call(deleteProtectedTag, one, MAINTAINER)).status).toBe(404);
});

test('developers are refused, and others do not see the project', async () => {
  const { call } = await started();
  const statuses = [];
  for (const caller of [DEVELOPER, OUTSIDER, null])
    statuses.push((await call(createProtectedTag, { id: 7, name: 'v*' }, caller)).status);
  expect(statuses).toEqual([403, 404, 401]);
});

test.each([
  { level: 0, creates: [] },
  { level: 30, creates: [DEVELOPER, MAINTAINER, OWNER] },
  { level: 40, creates: [MAINTAINER, OWNER] },
])('tags of level $level are created by $creates, and deleted by maintainers', async ({ level, creates }) => {
  const { call, commit } = await started();
  await commit(7, 'main', { a: '1' });
  await call(createTag, { id: 7, tag_name: 'v0', ref: 'main' }, OWNER);
  await call(createProtectedTag, { id: 7, name: 'v*', create_access_level: level }, OWNER);
  const created: number[] = [];
  for (const user of [DEVELOPER, MAINTAINER, OWNER]) {
    const { status } = await call(createTag, { id: 7, tag_name: `v${user}`, ref: 'main' }, user);
    if (status === 201) created.push(user);
    else expect(status).toBe(403);
  }
  expect(created).toEqual(creates);
  expect((await call(getTag, { id: 7, tag_name: 'v0' }, DEVELOPER)).body).toMatchObject({ protected: true });
  expect((await call(deleteTag, { id: 7, tag_name: 'v0' }, DEVELOPER)).status).toBe(403);
  expect((await call(deleteTag, { id: 7, tag_name: 'v0' }, MAINTAINER)).status).toBe(204);
  expect((await call(createTag, { id: 7, tag_name: 'other', ref: 'main' }, DEVELOPER)).status).toBe(201);
});
