import { createHash } from 'node:crypto';
import { createProtectedTag } from '@forgelog/contracts/repo/protected-tags/protected-tag.api.ts';
import {
  createRelease,
  deleteRelease,
  updateRelease,
} from '@forgelog/contracts/repo/releases/release.api.ts';
import {
  collectReleaseEvidence,
  downloadReleaseAsset,
  getReleaseEvidence,
  getReleaseFeed,
} from '@forgelog/contracts/repo/releases/release-asset.api.ts';
import { updateReleaseLink } from '@forgelog/contracts/repo/releases/release-link.api.ts';
import { deleteTag } from '@forgelog/contracts/repo/tags/tag.api.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { memberAdded, userCreated } from '@forgelog/testing/sample-events.ts';
import { DEVELOPER, OUTSIDER, OWNER, REPORTER, team } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import { projectSlice } from '../projects/project.slice.ts';
import { protectedTagSlice } from '../protected-tags/protected-tag.slice.ts';
import { tagSlice } from '../tags/tag.slice.ts';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { collectDueEvidence } from './due-evidence.worker.ts';
import { releaseSlice } from './release.slice.ts';
import { releaseEvidences, releases } from './releases.collection.ts';

const GUEST = 5;
const of = (tag_name: string) => ({ id: 7, tag_name });
const links = [{ name: 'Binary', url: 'https://example.com/b/1', filepath: '/bin/b' }];

async function started() {
  let now = Date.parse('2030-01-01T00:00:00Z');
  const given = [...team, userCreated(GUEST), memberAdded(7, GUEST, 10)];
  const slices = [projectSlice, tagSlice, protectedTagSlice, releaseSlice];
  const running = await startRepoSlices(slices, given, () => new Date(now));
  await running.commit(7, 'main', { 'README.md': 'Hello' });
  return {
    ...running,
    sweep: () => collectDueEvidence(running.repo, new AbortController().signal),
    collected: () => running.ports.readStore.find(releaseEvidences, { limit: 100 }),
    pass(seconds: number) {
      now += seconds * 1000;
    },
  };
}

test('a permanent address leads to where its link leads now', async () => {
  const { call } = await started();
  await call(createRelease, { ...of('v1'), ref: 'main', assets: { links } }, OWNER);
  const at = (filepath: string, as: number | null = GUEST) =>
    call(downloadReleaseAsset, { ...of('v1'), filepath }, as);
  expect(await at('bin/b')).toMatchObject({ status: 302, headers: { location: 'https://example.com/b/1' } });
  await call(updateReleaseLink, { ...of('v1'), link_id: 1, url: 'https://example.com/b/2' }, OWNER);
  expect((await at('bin/b')).headers.location).toBe('https://example.com/b/2');
  expect(await at('bin')).toMatchObject({ status: 404, body: { message: '404 File Not Found' } });
  expect((await at('bin/b', OUTSIDER)).status).toBe(404);
});

test('evidence is served byte by byte, to those who see the code', async () => {
  const { call } = await started();
  const { body } = await call(createRelease, { ...of('v1'), ref: 'main', description: 'ä' }, OWNER);
  await call(createRelease, { ...of('v2'), ref: 'main' }, OWNER);
  const [{ sha, filepath }] = body.evidences;
  expect(filepath).toMatch(/\/-\/releases\/v1\/evidences\/1\.json$/);
  const served = await call(getReleaseEvidence, { ...of('v1'), evidence_id: 1 }, REPORTER);
  expect(served.status).toBe(200);
  expect(createHash('sha256').update(JSON.stringify(served.body)).digest('hex')).toBe(sha);
  expect((await call(getReleaseEvidence, { ...of('v1'), evidence_id: 1 }, GUEST)).status).toBe(403);
  expect((await call(getReleaseEvidence, { ...of('v2'), evidence_id: 1 }, OWNER)).status).toBe(404);
});

test('a release has one more evidence whenever somebody asks for it', async () => {
  const { call, pass } = await started();
  const { body } = await call(createRelease, { ...of('v1'), ref: 'main' }, OWNER);
  await call(updateRelease, { ...of('v1'), name: 'Renamed' }, OWNER);
  pass(60);
  const asked = await call(collectReleaseEvidence, of('v1'), OWNER);
  expect(asked.status).toBe(200);
  expect(asked.body.evidences).toHaveLength(2);
  expect(asked.body.evidences[0]).toEqual(body.evidences[0]);
  expect(asked.body.assets.evidence_file_path).toBe(asked.body.evidences[1].filepath);
  const second = await call(getReleaseEvidence, { ...of('v1'), evidence_id: 2 }, OWNER);
  expect(second.body.release.name).toBe('Renamed');
  expect(await call(collectReleaseEvidence, of('v1'), REPORTER)).toMatchObject({ status: 403, events: [] });
});

test('an upcoming release gets its evidence once, when it is out', async () => {
  const { call, sweep, collected, pass } = await started();
  const released_at = '2030-01-01T01:00:00Z';
  for (const tag of ['v1', 'v2']) await call(createRelease, { ...of(tag), ref: 'main', released_at }, OWNER);
  await call(updateRelease, { ...of('v2'), released_at: '2030-01-01T02:00:00Z' }, OWNER);
  await sweep();
  expect(await collected()).toEqual([]);
  pass(3600);
  // Two processes that sweep at once, and one that comes later.
  await Promise.all([sweep(), sweep()]);
  await sweep();
  expect(await collected()).toMatchObject([{ releaseId: 1, collectedAt: '2030-01-01T01:00:00.000Z' }]);
  pass(3600);
  await sweep();
  expect(await collected()).toMatchObject([{ releaseId: 1 }, { releaseId: 2 }]);
});

test('a sweep goes on over a release whose tag or repository is gone', async () => {
  const { call, sweep, collected, pass, repo } = await started();
  const released_at = '2030-01-01T01:00:00Z';
  for (const tag of ['v1', 'v2']) await call(createRelease, { ...of(tag), ref: 'main', released_at }, OWNER);
  const tag = await repo.repositories.of(7).tag('v1');
  const gone = { ref: 'refs/tags/v1', oldOid: tag!.oid, newOid: '0'.repeat(40) };
  // Below the listeners that delete the release.
  await repo.repositories.of(7).updateRefs([gone], async () => {});
  pass(3600);
  await sweep();
  expect(await collected()).toMatchObject([{ releaseId: 2 }]);
});

test('a release goes with its tag, before the deletion of the tag is answered', async () => {
  const { call, repo } = await started();
  // The slice registers this listener with its policies, which do not run here.
  for (const policies of releaseSlice.policies) policies(repo);
  await call(createRelease, { ...of('v1'), ref: 'main', assets: { links } }, OWNER);
  const deleted = await call(deleteTag, of('v1'), OWNER);
  expect(deleted.events.map(({ type }) => type)).toEqual(['RefUpdated', 'PushReceived', 'ReleaseDeleted']);
  expect(deleted.events.at(-1)).toMatchObject({ data: { reason: 'tag_deleted' } });
  expect((await call(createRelease, { ...of('v1'), ref: 'main' }, OWNER)).status).toBe(201);
});

test('the policy deletes the release that a deleted tag had, and no later one', async () => {
  const { call, repo, ports } = await started();
  const [policy] = releaseSlice.policies.flatMap((policies) => policies(repo));
  await call(createRelease, { ...of('v1'), ref: 'main' }, OWNER);
  const { readStore } = ports;
  const createdIn = async () => (await readStore.find(releases, { limit: 1 }))[0]!.createdIn;
  const ref = { ref: 'refs/tags/v1', oldOid: 'a'.repeat(40), newOid: '0'.repeat(40) };
  const event = (position: string) => ({
    ...{ type: 'RefUpdated', data: { projectId: 7, ...ref }, metadata: SYSTEM_METADATA, position },
    ...{
      id: 'event',
      stream: 'repository-7',
      revision: 1,
      schemaVersion: 2,
      time: '2030-01-01T00:00:00.000Z',
    },
  });
  const at = await createdIn();
  await policy!.react(event(''), new AbortController().signal);
  expect(await readStore.find(releases, { limit: 1 })).toHaveLength(1);
  await policy!.react(event(`${at}9`), new AbortController().signal);
  expect(await readStore.find(releases, { limit: 1 })).toEqual([]);
});

test('a release whose tag was deleted while it was made goes, too', async () => {
  const { call, repo, ports } = await started();
  const { events } = await call(createRelease, { ...of('v1'), ref: 'main' }, OWNER);
  // The listener is not there yet: as if the tag went between the look at it and the append.
  await call(deleteTag, of('v1'), OWNER);
  const [policy] = releaseSlice.policies.flatMap((policies) => policies(repo));
  const created = events.find(({ type }) => type === 'ReleaseCreated')!;
  const recorded = {
    ...{ ...created, metadata: SYSTEM_METADATA, position: 'p', id: 'event', stream: 'release-7/a' },
    ...{ revision: 0, schemaVersion: 1, time: '2030-01-01T00:00:00.000Z' },
  };
  await policy!.react(recorded, new AbortController().signal);
  expect(await ports.readStore.find(releases, { limit: 1 })).toEqual([]);
});

test('a release of a protected tag is for those who may create the tag', async () => {
  const { call } = await started();
  await call(createRelease, { ...of('v1'), ref: 'main', assets: { links } }, DEVELOPER);
  await call(createProtectedTag, { id: 7, name: 'v*' }, OWNER);
  for (const [endpoint, params] of [
    [createRelease, { tag_name: 'v2', ref: 'main' }],
    [updateRelease, { tag_name: 'v1', name: 'x' }],
    [updateReleaseLink, { tag_name: 'v1', link_id: 1, name: 'x' }],
    [collectReleaseEvidence, { tag_name: 'v1' }],
    [deleteRelease, { tag_name: 'v1' }],
  ] as const) {
    const asked = { id: 7, ...params };
    expect(await call(endpoint, asked, DEVELOPER), endpoint.id).toMatchObject({ status: 403, events: [] });
    expect((await call(endpoint, asked, OWNER)).status, endpoint.id).toBeLessThan(300);
  }
  expect((await call(createRelease, { id: 7, tag_name: 'w', ref: 'main' }, DEVELOPER)).status).toBe(201);
});

test('the feed tells of what is out, in the form of JSON Feed', async () => {
  const { call } = await started();
  await call(createRelease, { ...of('v1'), ref: 'main', name: 'First', description: '*new*' }, OWNER);
  await call(createRelease, { ...of('v2'), ref: 'main', released_at: '2031-01-01' }, OWNER);
  await call(createRelease, { ...of('v0'), ref: 'main', released_at: '2029-01-01' }, OWNER);
  const { body } = await call(getReleaseFeed, { id: 7 }, GUEST);
  const url = expect.stringMatching(/^http:\/\/forgelog\.test\/.+\/-\/releases\/v1$/);
  expect(body).toMatchObject({
    version: 'https://jsonfeed.org/version/1.1',
    feed_url: `${body.home_page_url}/-/releases.json`,
    items: [
      {
        ...{ id: url, url, title: 'First', content_html: '<p><em>new</em></p>\n' },
        authors: [{ name: expect.any(String), url: expect.stringContaining('http://forgelog.test/') }],
      },
      { title: 'v0', date_published: '2029-01-01T00:00:00.000Z' },
    ],
  });
  expect((await call(getReleaseFeed, { id: 7 }, OUTSIDER)).status).toBe(404);
});
