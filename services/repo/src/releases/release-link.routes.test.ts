import { createRelease } from '@forgelog/contracts/repo/releases/release.api.ts';
import {
  createReleaseLink,
  deleteReleaseLink,
  getReleaseLink,
  listReleaseLinks,
  updateReleaseLink,
} from '@forgelog/contracts/repo/releases/release-link.api.ts';
import { DEVELOPER, OUTSIDER, OWNER, REPORTER, team } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import { projectSlice } from '../projects/project.slice.ts';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { releaseSlice } from './release.slice.ts';

const of = (tag_name: string) => ({ id: 7, tag_name });
const v1 = of('v1');
const binary = { name: 'Binary', url: 'https://example.com/b' };
const namesOf = ({ body }: { body: { name: string }[] }) => body.map(({ name }) => name);

async function started() {
  const running = await startRepoSlices([projectSlice, releaseSlice], team);
  await running.commit(7, 'main', { 'README.md': 'Hello' });
  for (const tag_name of ['v1', 'v2'])
    await running.call(createRelease, { ...of(tag_name), ref: 'main' }, OWNER);
  return running;
}

test('a developer adds, reads, changes and deletes a link', async () => {
  const { call } = await started();
  const created = await call(createReleaseLink, { ...v1, ...binary }, DEVELOPER);
  expect(created).toMatchObject({
    status: 201,
    body: { id: 1, ...binary, external: true, link_type: 'other', direct_asset_url: binary.url },
    events: [{ type: 'ReleaseLinkAdded', data: { releaseLinkId: 1, tagName: 'v1' } }],
  });
  const link = { ...v1, link_id: 1 };
  expect((await call(getReleaseLink, link, REPORTER)).body).toEqual(created.body);
  const changed = await call(updateReleaseLink, { ...link, filepath: '/bin/b' }, DEVELOPER);
  expect(changed).toMatchObject({
    status: 200,
    body: {
      ...binary,
      direct_asset_url: expect.stringMatching(/\/-\/releases\/v1\/downloads\/bin\/b$/),
    },
    events: [{ type: 'ReleaseLinkUpdated', data: { changes: { filepath: '/bin/b' } } }],
  });
  expect((await call(updateReleaseLink, { ...link, filepath: '' }, DEVELOPER)).body).toEqual(created.body);
  expect(await call(deleteReleaseLink, link, DEVELOPER)).toMatchObject({
    ...{ status: 200, body: created.body, events: [{ type: 'ReleaseLinkRemoved' }] },
  });
  expect((await call(listReleaseLinks, v1, REPORTER)).body).toEqual([]);
});

test('names, addresses and paths are unique in a release, and only there', async () => {
  const { call } = await started();
  const first = { ...binary, filepath: '/b' };
  await call(createReleaseLink, { ...v1, ...first }, OWNER);
  const other = { name: 'Other', url: 'https://example.com/o', filepath: '/o' };
  await call(createReleaseLink, { ...v1, ...other }, OWNER);
  const taken = ['has already been taken'];
  for (const [field, value] of Object.entries(first)) {
    const third = { name: 'Third', url: 'https://example.com/t', [field]: value };
    for (const refused of [
      await call(createReleaseLink, { ...v1, ...third }, OWNER),
      await call(updateReleaseLink, { ...v1, link_id: 2, [field]: value }, OWNER),
    ])
      expect(refused).toMatchObject({ status: 400, body: { message: { [field]: taken } }, events: [] });
  }
  expect((await call(createReleaseLink, { ...of('v2'), ...first }, OWNER)).status).toBe(201);
  expect(namesOf(await call(listReleaseLinks, v1, OWNER))).toEqual(['Other', 'Binary']);
});

test('a link of another release is not found, and an update names something', async () => {
  const { call } = await started();
  await call(createReleaseLink, { ...v1, ...binary }, OWNER);
  const wrong = { ...of('v2'), link_id: 1 };
  for (const endpoint of [getReleaseLink, deleteReleaseLink])
    expect((await call(endpoint, wrong, OWNER)).status).toBe(404);
  expect((await call(updateReleaseLink, { ...wrong, name: 'x' }, OWNER)).status).toBe(404);
  expect((await call(updateReleaseLink, { ...v1, link_id: 1 }, OWNER)).status).toBe(400);
  expect((await call(createReleaseLink, { ...of('v3'), ...binary }, OWNER)).status).toBe(404);
});

test('reporters read links and do not change them, and others do not see the project', async () => {
  const { call } = await started();
  await call(createReleaseLink, { ...v1, ...binary }, OWNER);
  const refused = [];
  for (const caller of [REPORTER, OUTSIDER, null]) {
    refused.push(await call(createReleaseLink, { ...v1, name: 'x', url: 'https://a.test' }, caller));
    refused.push(await call(deleteReleaseLink, { ...v1, link_id: 1 }, caller));
  }
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 404, 404, 401, 401]);
  expect(refused.flatMap(({ events }) => events)).toEqual([]);
});
