import {
  getGroup,
  listDescendantGroups,
  listGroupProjects,
  listGroups,
  listSharedProjects,
  listSubgroups,
  updateGroup,
} from '@forgelog/contracts/admin/groups/group.api.ts';
import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import { on, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { customAttributeSlice } from '../custom-attributes/custom-attribute.slice.ts';
import { groupCreated, groupMemberAdded, inGroup, projectInGroup } from '../testing/group-events.ts';
import { onlyProject, projectsOfGroups } from '../testing/projects-of-groups.slice.ts';
import { userSlice } from '../users/user.slice.ts';
import { groupSlice } from './group.slice.ts';

const OWNER = 1;
const ADMIN = 2;
const MEMBER = 3;
const OUTSIDER = 4;
const EXTERNAL = 5;
// Group 50 is private, with 51 and 52 one below the other; 60 is internal; 70 is public, with 71 public, 72 private.
const below = (groupId: number, parentId: number, more = {}) => groupCreated(groupId, { parentId, ...more });
const given = [
  ...[OWNER, MEMBER, OUTSIDER].map((id) => userCreated(id)),
  userCreated(ADMIN, { admin: true }),
  userCreated(EXTERNAL, { external: true }),
  inGroup(groupCreated(50)),
  inGroup(below(51, 50)),
  inGroup(below(52, 51)),
  inGroup(groupCreated(60, { visibility: 'internal' })),
  inGroup(groupCreated(70, { visibility: 'public', name: 'Zebra' })),
  inGroup(below(71, 70, { visibility: 'public' })),
  inGroup(below(72, 70)),
  inGroup(groupMemberAdded(51, MEMBER, 20)),
];

async function start(more: Parameters<typeof startSlices>[1] = []) {
  const asked: unknown[] = [];
  const { call, ports } = await startSlices(
    [userSlice, customAttributeSlice, groupSlice, projectsOfGroups(asked)],
    [...given, ...more],
  );
  const ids = async (endpoint: AnyEndpoint, params: Record<string, unknown>, caller: number | null) =>
    (await call(endpoint, params, caller)).body.map(({ id }: { id: number }) => id);
  return { asked, call, ports, ids };
}

test('a group shows itself with its projects, and its runners’ token to owners', async () => {
  const { call, ports } = await start();
  const shown = await call(getGroup, { id: 'GROUP50/group51' }, OWNER);
  expect(shown).toMatchObject({
    status: 200,
    body: {
      ...{ id: 51, name: 'group51', parent_id: 50, visibility: 'private', description: '' },
      ...{ full_name: 'group50 / group51', full_path: 'group50/group51' },
      ...{
        web_url: `${ports.host}/groups/group50/group51`,
        two_factor_grace_period: 48,
        default_branch_protection: 2,
      },
      ...{ subgroup_creation_level: 'maintainer', projects: [onlyProject], shared_projects: [] },
      runners_token: expect.stringMatching(/^GR1348941g51-/),
    },
  });
  expect((await call(getGroup, { id: 51 }, OWNER)).body).toEqual(shown.body);
  for (const id of [50, 51])
    expect((await call(getGroup, { id }, MEMBER)).body).not.toHaveProperty('runners_token');
  const bare = (await call(getGroup, { id: 51, with_projects: false }, OWNER)).body;
  for (const left of ['projects', 'shared_projects', 'custom_attributes'])
    expect(bare).not.toHaveProperty(left);
});

test('a group that the caller may not see is not found', async () => {
  const { call } = await start();
  const endpoints = [getGroup, listSubgroups, listDescendantGroups, listGroupProjects, listSharedProjects];
  for (const endpoint of endpoints) {
    for (const caller of [OUTSIDER, null])
      expect(await call(endpoint, { id: 50 }, caller)).toMatchObject({
        ...{ status: 404, body: { message: '404 Group Not Found' } },
      });
    // Members below find the way to where they are.
    for (const caller of [MEMBER, ADMIN]) expect((await call(endpoint, { id: 50 }, caller)).status).toBe(200);
  }
  expect((await call(updateGroup, { id: 50, name: 'x' }, MEMBER)).status).toBe(403);
  expect((await call(getGroup, { id: 60 }, OUTSIDER)).status).toBe(200);
  expect((await call(getGroup, { id: 60 }, EXTERNAL)).status).toBe(404);
  expect((await call(getGroup, { id: 70 })).status).toBe(200);
});

test('a list has the groups of the caller, what leads to them and what lies below', async () => {
  const { ids } = await start();
  expect(await ids(listGroups, {}, MEMBER)).toEqual([50, 51, 52]);
  expect(await ids(listGroups, { all_available: true }, MEMBER)).toEqual([50, 51, 52, 60, 71, 70]);
  expect(await ids(listGroups, { all_available: true }, EXTERNAL)).toEqual([71, 70]);
  expect(await ids(listGroups, {}, OUTSIDER)).toEqual([]);
  expect(await ids(listGroups, {}, ADMIN)).toEqual([50, 51, 52, 60, 71, 72, 70]);
  expect(await ids(listGroups, { all_available: false }, ADMIN)).toEqual([]);
});

test('anonymous callers see public groups alone', async () => {
  const { ids } = await start();
  for (const params of [{}, { all_available: true }])
    expect(await ids(listGroups, params, null)).toEqual([71, 70]);
  for (const params of [{ owned: true }, { min_access_level: 10 }])
    expect(await ids(listGroups, params, null)).toEqual([]);
});

test('own groups and a minimal level count before all that are available', async () => {
  const { call, ids } = await start([inGroup(groupCreated(80, { creatorId: MEMBER }))]);
  const all = { all_available: true };
  expect(await ids(listGroups, { ...all, owned: true }, MEMBER)).toEqual([80]);
  expect(await ids(listGroups, { ...all, min_access_level: 20 }, MEMBER)).toEqual([51, 52, 80]);
  expect(await ids(listGroups, { min_access_level: 30 }, MEMBER)).toEqual([80]);
  expect((await call(listGroups, { min_access_level: 7 }, MEMBER)).status).toBe(400);
});

test('a list is searched by name and path, ordered, skipped and cut to the top', async () => {
  const { ids } = await start();
  expect(await ids(listGroups, { search: 'zEb' }, ADMIN)).toEqual([70]);
  expect(await ids(listGroups, { order_by: 'path' }, ADMIN)).toEqual([50, 51, 52, 60, 70, 71, 72]);
  expect(await ids(listGroups, { order_by: 'id', sort: 'desc' }, MEMBER)).toEqual([52, 51, 50]);
  expect(await ids(listGroups, { 'skip_groups[]': 51 }, MEMBER)).toEqual([50, 52]);
  expect(await ids(listGroups, { top_level_only: true }, ADMIN)).toEqual([50, 60, 70]);
  const similar = { search: 'group52', order_by: 'similarity' };
  expect(await ids(listGroups, similar, ADMIN)).toEqual([52]);
  expect((await ids(listGroups, { search: 'group7', order_by: 'similarity' }, ADMIN)).at(-1)).toBe(70);
  expect(await ids(listGroups, { order_by: 'similarity' }, ADMIN)).toEqual([50, 51, 52, 60, 71, 72, 70]);
});

test('subgroups are direct, descendants of every depth, and both are searched by path alone', async () => {
  const { call, ids } = await start();
  expect(await ids(listSubgroups, { id: 50 }, OWNER)).toEqual([51]);
  expect(await ids(listDescendantGroups, { id: 50 }, OWNER)).toEqual([51, 52]);
  expect(await ids(listSubgroups, { id: 70 }, ADMIN)).toEqual([71, 72]);
  expect(await ids(listSubgroups, { id: 70, all_available: true }, OUTSIDER)).toEqual([71]);
  expect(await ids(listDescendantGroups, { id: 70, search: 'GROUP71' }, ADMIN)).toEqual([71]);
  const named = await start([inGroup(below(73, 70, { name: 'Unfindable' }))]);
  expect(await named.ids(listSubgroups, { id: 70, search: 'unfind' }, ADMIN)).toEqual([]);
  expect((await call(listSubgroups, { id: 70, order_by: 'similarity' }, ADMIN)).status).toBe(400);
});

test('statistics and custom attributes are for administrators who ask', async () => {
  const measured = { projectId: 7, repositorySize: 4096, commitCount: 1, readmePath: null };
  const { call, ids } = await start([
    projectInGroup(7, 51),
    on('repositoryStatistics-7', { type: 'RepositoryMeasured', data: measured }),
  ]);
  const wish = { search: 'group50', statistics: true, with_custom_attributes: true };
  expect((await call(listGroups, wish, ADMIN)).body).toMatchObject([
    {
      statistics: { storage_size: 4096, repository_size: 4096, packages_size: 0 },
      custom_attributes: [],
    },
  ]);
  for (const [params, caller] of [
    [wish, MEMBER],
    [{ search: 'group50' }, ADMIN],
  ] as const) {
    const [shown] = (await call(listGroups, params, caller)).body;
    expect(shown.id).toBe(50);
    for (const field of ['statistics', 'custom_attributes']) expect(shown).not.toHaveProperty(field);
  }
  expect(await ids(listGroups, { 'custom_attributes[a]': 'b' }, ADMIN)).toEqual([]);
  expect(await ids(listGroups, { 'custom_attributes[a]': 'b' }, MEMBER)).toEqual([50, 51, 52]);
});

test('projects are those that the repo service lists for the caller', async () => {
  const { call, asked } = await start();
  const listed = await call(listGroupProjects, { id: 70, include_subgroups: true, per_page: 5 }, OUTSIDER);
  expect(listed).toMatchObject({ status: 200, headers: { 'x-total': '1' } });
  expect(listed.body).toEqual([onlyProject]);
  expect((await call(listSharedProjects, { id: 70 })).body).toEqual([]);
  expect(asked).toMatchObject([
    {
      ...{ groupId: 70, shared: false, caller: OUTSIDER, page: { number: 1, size: 5 } },
      filters: { include_subgroups: true, order_by: 'created_at', sort: 'desc' },
    },
    { groupId: 70, shared: true, caller: null },
  ]);
  expect((await call(listGroupProjects, { id: 70, order_by: 'size' }, ADMIN)).status).toBe(400);
});

test('a list comes in pages with totals, by similarity too', async () => {
  const { call } = await start();
  for (const order of [{}, { order_by: 'similarity' }]) {
    const last = await call(listGroups, { search: 'group', per_page: 4, page: 2, ...order }, ADMIN);
    expect(last).toMatchObject({ headers: { 'x-total': '7', 'x-next-page': '' } });
    expect(last.body).toHaveLength(3);
  }
});
