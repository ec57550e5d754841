import { createHash } from 'node:crypto';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { updateProject } from '@forgelog/contracts/repo/projects/project.api.ts';
import {
  createRelease,
  deleteRelease,
  getRelease,
  listReleases,
  updateRelease,
} from '@forgelog/contracts/repo/releases/release.api.ts';
import { getTag } from '@forgelog/contracts/repo/tags/tag.api.ts';
import examples from '@forgelog/contracts/tracker/milestones/milestone.examples.json' with { type: 'json' };
import {
  describeMilestones,
  findMilestones,
} from '@forgelog/contracts/tracker/milestones/milestone.operations.ts';
import { implementOperation } from '@forgelog/service-kit/operations.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { memberAdded, userCreated } from '@forgelog/testing/sample-events.ts';
import { DEVELOPER, OUTSIDER, OWNER, REPORTER, team } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import type { RepoPorts } from '../ports.ts';
import { projectSlice } from '../projects/project.slice.ts';
import { tagSlice } from '../tags/tag.slice.ts';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { releaseSlice } from './release.slice.ts';

const GUEST = 5;
const START = '2030-01-01T00:00:00.000Z';
const one = { id: 7, tag_name: 'v1.0' };
const tagsOf = ({ body }: { body: { tag_name: string }[] }) => body.map(({ tag_name }) => tag_name);
const typesOf = ({ events }: { events: { type: string }[] }) => events.map(({ type }) => type);

/** Stands in for the service of milestones: there are two, and whoever is not signed in sees none of their issues. */
const milestoneNames = ['1.0', '2.0'];
const describedMilestones: number[][] = [];
const milestoneSlice = defineSlice<RepoPorts>({
  operations: [
    () => [
      implementOperation(findMilestones, async ({ request: { titles } }) => ({
        milestones: milestoneNames.flatMap((title, at) =>
          titles.includes(title) ? [{ id: at + 1, title }] : [],
        ),
      })),
      implementOperation(describeMilestones, async ({ request: { ids }, principal }) => {
        describedMilestones.push(ids);
        const { MilestoneWithStats } = examples;
        const issue_stats = { total: principal ? 12 : 0, closed: 0 };
        return {
          milestones: ids
            .filter((id) => id !== 2)
            .map((id) => ({
              askedId: id,
              milestone: { ...MilestoneWithStats, state: 'active' as const, id, issue_stats },
            })),
        };
      }),
    ],
  ],
});

/** A project with one commit on `main`, and a clock that a test sets. */
async function started() {
  let now = Date.parse(START);
  const given = [...team, userCreated(GUEST), memberAdded(7, GUEST, 10)];
  const slices = [projectSlice, tagSlice, releaseSlice, milestoneSlice];
  const running = await startRepoSlices(slices, given, () => new Date(now));
  const tip = await running.commit(7, 'main', { 'README.md': 'Hello' }, 'Begin');
  return {
    ...running,
    tip,
    pass(seconds: number) {
      now += seconds * 1000;
    },
  };
}

test('a developer releases a new tag with links, in one call', async () => {
  const { call, tip } = await started();
  const links = [
    { name: 'Binary', url: 'https://example.com/b', filepath: '/bin/b', link_type: 'package' },
    { name: 'Book', url: 'http://forgelog.test/sample/book' },
  ];
  const created = await call(
    createRelease,
    { ...one, ref: 'main', name: 'First', description: 'New', assets: { links } },
    DEVELOPER,
  );
  expect(typesOf(created)).toEqual([
    ...['RefUpdated', 'PushReceived', 'ReleaseCreated', 'ReleaseLinkAdded', 'ReleaseLinkAdded'],
    'ReleaseEvidenceCreated',
  ]);
  const place = expect.stringMatching(/^http:\/\/forgelog\.test\/.+\/-\/releases\/v1\.0$/);
  expect(created).toMatchObject({
    status: 201,
    body: {
      ...{ tag_name: 'v1.0', name: 'First', description: 'New', upcoming_release: false },
      ...{ created_at: START, released_at: START, author: { id: DEVELOPER }, milestones: [] },
      commit: { id: tip, parent_ids: [] },
      commit_path: expect.stringMatching(new RegExp(`^/.+/-/commit/${tip}$`)),
      tag_path: expect.stringMatching(/^\/.+\/-\/tags\/v1\.0$/),
      assets: {
        count: 6,
        sources: ['zip', 'tar.gz', 'tar.bz2', 'tar'].map((format) => ({
          format,
          url: expect.stringMatching(new RegExp(`/-/archive/v1\\.0/[^/]+-v1\\.0\\.${format}$`)),
        })),
        links: [
          { name: 'Book', link_type: 'other', direct_asset_url: 'http://forgelog.test/sample/book' },
          {
            ...{ name: 'Binary', url: 'https://example.com/b', link_type: 'package', external: true },
            direct_asset_url: expect.stringMatching(/\/-\/releases\/v1\.0\/downloads\/bin\/b$/),
          },
        ],
      },
      evidences: [{ collected_at: START }],
      _links: { self: place },
    },
  });
  expect(created.body).not.toHaveProperty('description_html');
  expect((await call(getRelease, one, DEVELOPER)).body).toEqual(created.body);
  expect((await call(getTag, one, DEVELOPER)).body.release).toEqual({
    tag_name: 'v1.0',
    description: 'New',
  });
});

test('evidence is the snapshot whose hash the release shows', async () => {
  const { call, tip } = await started();
  const { body, events } = await call(createRelease, { ...one, ref: 'main' }, OWNER);
  const { data } = events.at(-1)! as { data: { sha: string; snapshot: string } };
  expect(createHash('sha256').update(data.snapshot).digest('hex')).toBe(body.evidences[0].sha);
  expect(JSON.parse(data.snapshot)).toEqual({
    release: {
      ...{ id: 1, tag_name: 'v1.0', tag_target: tip, commit_id: tip, name: 'v1.0', description: null },
      ...{ released_at: START, milestones: [], links: [] },
      project: { id: 7, name: expect.any(String), description: null, created_at: START },
    },
  });
});

test('a tag that exists is released as it is, and an annotated tag is made with a message', async () => {
  const { call, commit, repo, tip } = await started();
  await call(createRelease, { ...one, ref: 'main', tag_message: 'Signed off' }, OWNER);
  const tag = await repo.repositories.of(7).tag('v1.0');
  expect(tag).toMatchObject({ commitOid: tip, annotation: { message: expect.stringMatching('Signed off') } });
  await call(deleteRelease, one, OWNER);
  await commit(7, 'main', { a: 'b' });
  const again = await call(createRelease, { ...one, ref: 'main' }, OWNER);
  expect(again).toMatchObject({ status: 201, body: { commit: { id: tip } } });
  expect(typesOf(again)).not.toContain('RefUpdated');
});

test('what is refused makes neither a tag nor a release', async () => {
  const { call, repo } = await started();
  const twice = (more: object) => ({
    assets: { links: [1, 2].map((n) => ({ name: `n${n}`, url: `https://a.test/${n}`, ...more })) },
  });
  for (const [params, status, message] of [
    [{}, 422, 'Ref is not specified'],
    [{ ref: 'nothing' }, 400, 'Target nothing is invalid'],
    [{ ref: 'main', tag_name: 'a..b' }, 400, expect.stringContaining('invalid')],
    [{ ref: 'main', milestones: ['1.0', '3.0', '3.0'] }, 400, 'Milestone(s) not found: 3.0'],
    [{ ref: 'main', ...twice({ name: 'a' }) }, 400, { name: ['has already been taken'] }],
    [{ ref: 'main', ...twice({ url: 'https://a.test/1' }) }, 400, { url: ['has already been taken'] }],
    [{ ref: 'main', ...twice({ filepath: '/a' }) }, 400, { filepath: ['has already been taken'] }],
    [{ ref: 'main', ...twice({ filepath: '/a/../b' }) }, 400, { filepath: expect.any(Array) }],
    [{ ref: 'main', ...twice({ filepath: '//evil.test' }) }, 400, { filepath: expect.any(Array) }],
  ] as const)
    expect(await call(createRelease, { ...one, ...params }, OWNER)).toMatchObject({
      ...{ status, body: { message }, events: [] },
    });
  const large = { ...one, ref: 'main', description: 'x'.repeat(400_000) };
  expect(await call(createRelease, large, OWNER)).toMatchObject({ status: 413, events: [] });
  for (const url of ['javascript:alert(1)', 'https://u:p@a.test', '/a', ''])
    expect(
      await call(createRelease, { ...one, ref: 'main', assets: { links: [{ name: 'a', url }] } }, OWNER),
    ).toMatchObject({ status: 400, events: [] });
  expect(await repo.repositories.of(7).tag('v1.0')).toBeUndefined();
});

test('of many creations at once, one wins and the others find its release', async () => {
  const { call } = await started();
  const calls = Array.from({ length: 4 }, () => call(createRelease, { ...one, ref: 'main' }, OWNER));
  const replies = await Promise.all(calls);
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  expect(replies.find(({ status }) => status === 409)!.body).toEqual({ message: 'Release already exists' });
  expect((await call(listReleases, { id: 7 }, OWNER)).body).toHaveLength(1);
});

test('a tag that a killed creation left behind is taken up by the same call', async () => {
  const { call, repo, tip, commit } = await started();
  const given = { ...one, ref: 'main', name: 'First' };
  const { handle } = repo.commands;
  repo.commands.handle = (decider, stream, ...more) => {
    if (stream.startsWith('release-')) throw new Rejection('unavailable', { reason: 'killed' });
    return handle(decider, stream, ...more);
  };
  expect((await call(createRelease, given, OWNER)).status).toBe(503);
  repo.commands.handle = handle;
  await commit(7, 'main', { later: 'x' });
  expect((await repo.repositories.of(7).tag('v1.0'))?.commitOid).toBe(tip);
  expect((await call(listReleases, { id: 7 }, OWNER)).body).toEqual([]);
  const again = await call(createRelease, given, OWNER);
  expect(again).toMatchObject({ status: 201, body: { name: 'First', commit: { id: tip } } });
  expect(typesOf(again)).toEqual(['ReleaseCreated', 'ReleaseEvidenceCreated']);
});

test('a release has milestones, of which it shows those that are left to whoever sees issues', async () => {
  const { call } = await started();
  const given = { ...one, ref: 'main', milestones: ['2.0', '1.0', '1.0'] };
  const created = await call(createRelease, given, DEVELOPER);
  expect(created.events.find(({ type }) => type === 'ReleaseCreated')).toMatchObject({
    data: { milestoneIds: [2, 1] },
  });
  const shown = { id: 1, title: '1.0', issue_stats: { total: 12, closed: 0 } };
  expect(created.body.milestones).toEqual([expect.objectContaining(shown)]);
  const { data } = created.events.at(-1)! as { data: { snapshot: string } };
  expect(JSON.parse(data.snapshot).release.milestones).toEqual([
    expect.objectContaining({ id: 1, title: '1.0', due_date: '2025-04-01' }),
  ]);
  describedMilestones.length = 0;
  expect((await call(listReleases, { id: 7 }, OWNER)).body[0].milestones).toHaveLength(1);
  expect(describedMilestones).toEqual([[2, 1]]);
  await call(
    updateProject,
    { id: 7, issues_access_level: 'disabled', merge_requests_access_level: 'disabled' },
    OWNER,
  );
  expect((await call(getRelease, one, OWNER)).body.milestones).toEqual([]);
  const cleared = await call(updateRelease, { ...one, milestones: [] }, DEVELOPER);
  expect(cleared.events).toMatchObject([
    { data: { changes: { milestoneIds: [] }, previous: { milestoneIds: [2, 1] } } },
  ]);
  describedMilestones.length = 0;
  await call(listReleases, { id: 7 }, OWNER);
  expect(describedMilestones).toEqual([]);
});

test('a release changes, and what is absent stays', async () => {
  const { call, pass } = await started();
  await call(createRelease, { ...one, ref: 'main', name: 'First', description: 'New' }, OWNER);
  pass(60);
  const updated = await call(updateRelease, { ...one, description: 'a <b> *c*', milestones: [] }, DEVELOPER);
  expect(updated).toMatchObject({ status: 200, body: { name: 'First', description: 'a <b> *c*' } });
  expect(updated.events).toMatchObject([
    { type: 'ReleaseUpdated', data: { previous: { description: 'New' } } },
  ]);
  const html = await call(getRelease, { ...one, include_html_description: true }, OWNER);
  expect(html.body.description_html).toBe('<p>a &lt;b&gt; <em>c</em></p>\n');
  expect((await call(updateRelease, { ...one, milestones: [] }, OWNER)).events).toEqual([]);
  expect((await call(updateRelease, one, OWNER)).status).toBe(400);
  expect((await call(updateRelease, { ...one, name: ' ' }, OWNER)).body).toEqual({
    message: { name: ["can't be blank"] },
  });
  expect((await call(updateRelease, { ...one, milestones: ['x'] }, OWNER)).status).toBe(400);
});

test('the largest texts fit into the log, old and new and with evidence', async () => {
  const { call } = await started();
  const text = (character: string, count: number) => character.repeat(count);
  const upcoming = { ...one, ref: 'main', released_at: '2031-01-01' };
  const first = await call(createRelease, { ...upcoming, description: text('"', 74_000) }, OWNER);
  expect(first.status).toBe(201);
  const changes = { description: text('x', 298_000), released_at: '2029-01-01' };
  const updated = await call(updateRelease, { ...one, ...changes }, OWNER);
  expect(typesOf(updated)).toEqual(['ReleaseUpdated', 'ReleaseEvidenceCreated']);
  // What EventStoreDB takes in one append.
  expect(Buffer.byteLength(JSON.stringify(updated.events))).toBeLessThan(1_000_000);
});

test('a deletion answers with the record, and the tag stays', async () => {
  const { call } = await started();
  const created = await call(createRelease, { ...one, ref: 'main' }, OWNER);
  expect(await call(deleteRelease, one, DEVELOPER)).toMatchObject({
    status: 200,
    body: created.body,
    events: [{ type: 'ReleaseDeleted', data: { reason: 'deleted' } }],
  });
  expect((await call(getTag, one, OWNER)).body.release).toBeNull();
  for (const endpoint of [getRelease, deleteRelease])
    expect(await call(endpoint, one, OWNER)).toMatchObject({
      status: 404,
      body: { message: '404 Not Found' },
    });
});

test('a list is ordered by either time, and an upcoming release is one until its time', async () => {
  const { call, pass } = await started();
  for (const [tag_name, released_at] of [
    ['a', '2029-06-01'],
    ['b', '2030-01-03T00:00:00+01:00'],
    ['c', undefined],
  ]) {
    pass(60);
    await call(createRelease, { id: 7, tag_name, ref: 'main', ...(released_at && { released_at }) }, OWNER);
  }
  const found = async (order: object) => tagsOf(await call(listReleases, { id: 7, ...order }, REPORTER));
  expect(await found({})).toEqual(['b', 'c', 'a']);
  expect(await found({ sort: 'asc' })).toEqual(['a', 'c', 'b']);
  expect(await found({ order_by: 'created_at' })).toEqual(['c', 'b', 'a']);
  expect(await found({ per_page: 1, page: 2 })).toEqual(['c']);
  const upcoming = { id: 7, tag_name: 'b' };
  expect((await call(getRelease, upcoming, REPORTER)).body).toMatchObject({
    ...{ upcoming_release: true, released_at: '2030-01-02T23:00:00.000Z', evidences: [] },
  });
  pass(3 * 86_400);
  expect((await call(getRelease, upcoming, REPORTER)).body.upcoming_release).toBe(false);
});

test('an upcoming release that is out by now gets its evidence with the change', async () => {
  const { call } = await started();
  await call(createRelease, { ...one, ref: 'main', released_at: '2031-01-01' }, OWNER);
  const updated = await call(updateRelease, { ...one, released_at: '2029-01-01' }, OWNER);
  expect(typesOf(updated)).toEqual(['ReleaseUpdated', 'ReleaseEvidenceCreated']);
  expect(updated.body.evidences).toHaveLength(1);
  const again = await call(updateRelease, { ...one, released_at: '2029-02-01' }, OWNER);
  expect(typesOf(again)).toEqual(['ReleaseUpdated']);
});

test('guests of a private project see releases without its code', async () => {
  const { call } = await started();
  const links = [{ name: 'Binary', url: 'https://example.com/b' }];
  await call(createRelease, { ...one, ref: 'main', assets: { links } }, OWNER);
  const { body } = await call(getRelease, one, GUEST);
  expect(body).toMatchObject({ tag_name: 'v1.0', assets: { count: 1, links: [{ name: 'Binary' }] } });
  for (const hidden of ['commit', 'commit_path', 'tag_path', 'evidences'])
    expect(body).not.toHaveProperty(hidden);
  for (const hidden of ['sources', 'evidence_file_path']) expect(body.assets).not.toHaveProperty(hidden);
  expect(body._links).not.toHaveProperty('edit_url');
});

test('reporters read and do not release, and others do not see the project', async () => {
  const { call } = await started();
  await call(createRelease, { ...one, ref: 'main' }, OWNER);
  const refused = [];
  for (const caller of [REPORTER, OUTSIDER, null])
    for (const [endpoint, params] of [
      [createRelease, { tag_name: 'x', ref: 'main' }],
      [updateRelease, { tag_name: 'v1.0', name: 'x' }],
      [deleteRelease, { tag_name: 'v1.0' }],
    ] as const)
      refused.push(await call(endpoint, { id: 7, ...params }, caller));
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 404, 404, 404, 401, 401, 401]);
  expect(refused.flatMap(({ events }) => events)).toEqual([]);
  expect((await call(listReleases, { id: 7 }, OUTSIDER)).status).toBe(404);
});
