import { listProjectGroups } from '@forgelog/contracts/admin/groups/project-group.api.ts';
import {
  getAnyProjectMember,
  listAllProjectMembers,
} from '@forgelog/contracts/admin/members/project-member.api.ts';
import { listProjectUsers } from '@forgelog/contracts/admin/members/project-user.api.ts';
import {
  shareProject,
  unshareProject,
} from '@forgelog/contracts/admin/project-group-links/project-group-link.api.ts';
import { actingUser } from '@forgelog/directory/acting-user.ts';
import { createAuthorizer } from '@forgelog/directory/authorizer.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { and } from '@forgelog/eventing/query.ts';
import { on, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { groupSlice } from '../groups/group.slice.ts';
import { memberSlice } from '../members/member.slice.ts';
import { projectsOfGroups } from '../testing/projects-of-groups.slice.ts';
import { projectGroupLinkSlice } from './project-group-link.slice.ts';
import { endProjectShares } from './project-share-ends.commands.ts';

const [OWNER, MAINTAINER, GUEST, MINIMAL, ABOVE, OUTSIDER] = [1, 2, 3, 4, 5, 6] as const;
const [GROUP, TOP] = [51, 50] as const;

const group = (groupId: number, parentId: number | null, settings = {}) =>
  on(`group-${groupId}`, {
    type: 'GroupCreated',
    data: {
      ...{ groupId, parentId, name: `Group ${groupId}`, path: `group${groupId}`, description: '' },
      fullPath: parentId === null ? `group${groupId}` : `group${parentId}/group${groupId}`,
      ...{ visibility: 'private', creatorId: null, ownerId: null, settings },
    },
  });
const joined = (groupId: number, userId: number, accessLevel: number, expiresAt: string | null = null) =>
  on(`group-${groupId}`, {
    type: 'GroupMemberAdded',
    data: { groupId, userId, accessLevel, expiresAt, reason: 'added' },
  });

const given = [
  ...[OWNER, MAINTAINER, GUEST, MINIMAL, ABOVE, OUTSIDER].map((id) => userCreated(id)),
  projectCreated(7),
  group(TOP, null),
  group(GROUP, TOP),
  joined(GROUP, OWNER, 10),
  joined(GROUP, MAINTAINER, 40),
  joined(GROUP, GUEST, 10),
  joined(GROUP, MINIMAL, 5),
  joined(TOP, ABOVE, 50),
];

async function start(more: typeof given = []) {
  let now = Date.parse('2030-01-30T12:00:00Z');
  const slices = [groupSlice, memberSlice, projectGroupLinkSlice, projectsOfGroups()];
  const running = await startSlices(slices, [...given, ...more], { clock: () => new Date(now) });
  const { call, ports } = running;
  return {
    ...running,
    share: (params: object = {}, as: number | null = OWNER) =>
      call(shareProject, { id: 7, group_id: GROUP, group_access: 30, ...params }, as),
    /** What each user may do in the project: undefined where they do not see it. */
    async levels() {
      const authorizer = createAuthorizer(ports.directory);
      const users = [OWNER, MAINTAINER, GUEST, MINIMAL, ABOVE, OUTSIDER];
      return Promise.all(
        users.map(
          async (id) => (await authorizer.project('7', (await actingUser(ports.directory, id))!))?.level,
        ),
      );
    },
    seen: async (userId: number) => {
      const caller = await actingUser(ports.directory, userId);
      return ports.directory.projectsWith(caller!, 30, 'id');
    },
    days: (count: number) => {
      now += count * 86_400_000;
    },
  };
}

const NOBODY = [50, undefined, undefined, undefined, undefined, undefined];

test('members of the group have their level, up to that of the share', async () => {
  const { share, levels, call } = await start();
  expect(await levels()).toEqual(NOBODY);
  const shared = await share();
  expect(shared).toMatchObject({
    status: 201,
    body: { id: 1, project_id: 7, group_id: GROUP, group_access: 30, expires_at: null },
    events: [{ type: 'ProjectGroupLinkCreated', data: { projectId: 7, groupId: GROUP, accessLevel: 30 } }],
  });
  expect(await levels()).toEqual([50, 30, 10, undefined, 30, undefined]);
  const { body } = await call(listAllProjectMembers, { id: 7 }, GUEST);
  const shown = body.map(({ id, access_level }: { id: number; access_level: number }) => [id, access_level]);
  expect(shown).toEqual([
    [OWNER, 40],
    [MAINTAINER, 30],
    [GUEST, 10],
    [ABOVE, 30],
  ]);
  const one = await call(getAnyProjectMember, { id: 7, user_id: MAINTAINER }, GUEST);
  expect(one.body).toMatchObject({ id: MAINTAINER, access_level: 30, expires_at: null });
  expect((await call(getAnyProjectMember, { id: 7, user_id: MINIMAL }, GUEST)).status).toBe(404);
  const gone = await call(unshareProject, { id: 7, group_id: GROUP }, OWNER);
  expect(gone).toMatchObject({ status: 204, events: [{ type: 'ProjectGroupLinkDeleted' }] });
  expect(await levels()).toEqual(NOBODY);
});

test('users of a project are its members, and its groups are those above and those it is shared with', async () => {
  const inGroup = on('project-8', {
    type: 'ProjectCreated',
    data: { ...(projectCreated(8).event.data as object), namespaceId: GROUP, ownerId: null },
  });
  const { call, share } = await start([inGroup, group(60, null), joined(60, MAINTAINER, 50)]);
  const users = async (id: number, params: object, as: number) =>
    (await call(listProjectUsers, { id, ...params }, as)).body.map(({ id }: { id: number }) => id);
  expect(await users(8, {}, GUEST)).toEqual([OWNER, MAINTAINER, GUEST, ABOVE]);
  expect(await users(8, { search: 'user2' }, GUEST)).toEqual([MAINTAINER]);
  expect(await users(8, { skip_users: `${OWNER},${ABOVE}` }, GUEST)).toEqual([MAINTAINER, GUEST]);
  expect(await users(7, {}, OWNER)).toEqual([OWNER]);
  await share();
  expect(await users(7, {}, OWNER)).toEqual([OWNER, MAINTAINER, GUEST, ABOVE]);
  expect((await call(listProjectUsers, { id: 8 }, OUTSIDER)).status).toBe(404);
  expect(await share({ id: 8, group_id: 60, group_access: 20 }, MAINTAINER)).toMatchObject({ status: 201 });
  const groups = async (params: object, as: number) =>
    (await call(listProjectGroups, { id: 8, ...params }, as)).body.map(({ id }: { id: number }) => id);
  expect(await groups({}, MAINTAINER)).toEqual([TOP, GROUP]);
  expect(await groups({ with_shared: true }, MAINTAINER)).toEqual([TOP, GROUP, 60]);
  expect(await groups({ with_shared: true, shared_min_access_level: 30 }, MAINTAINER)).toEqual([TOP, GROUP]);
  // A group that the caller does not see is left out.
  expect(await groups({ with_shared: true }, GUEST)).toEqual([TOP, GROUP]);
  expect(await groups({ search: '51', with_shared: true }, MAINTAINER)).toEqual([GROUP]);
  expect(await groups({ skip_groups: `${GROUP}` }, MAINTAINER)).toEqual([TOP]);
});

test('access through a share ends with its day, or with that of the membership', async () => {
  const { share, levels, call, days, ports } = await start([joined(GROUP, OUTSIDER, 20, '2030-01-31')]);
  await share({ expires_at: '2030-02-01' });
  const { body } = await call(listAllProjectMembers, { id: 7 }, OWNER);
  const ends = body.map(({ id, expires_at }: { id: number; expires_at: string }) => [id, expires_at]);
  expect(ends).toContainEqual([OUTSIDER, '2030-01-31']);
  expect(ends).toContainEqual([GUEST, '2030-02-01']);
  expect((await levels()).at(-1)).toBe(20);
  days(1);
  expect(await levels()).toEqual([50, 30, 10, undefined, 30, undefined]);
  days(1);
  expect(await levels()).toEqual(NOBODY);
  const { events } = await share();
  expect(events.map(({ type }) => type)).toEqual(['ProjectGroupLinkDeleted', 'ProjectGroupLinkCreated']);
  await endProjectShares(ports, {
    ...{ where: and(), reason: 'deleted', metadata: SYSTEM_METADATA, signal: new AbortController().signal },
  });
  expect(await levels()).toEqual(NOBODY);
});

test('what is wrong with a share is said, and changes nothing', async () => {
  const { share, call } = await start();
  for (const [params, status] of [
    [{ group_access: 50 }, 400],
    [{ group_access: 0 }, 400],
    [{ expires_at: '2030-01-29' }, 400],
    [{ group_id: 999 }, 404],
    [{ group_id: 1001 }, 404], // a personal namespace
  ] as const)
    expect(await share(params), JSON.stringify(params)).toMatchObject({ status, events: [] });
  expect(await share({}, GUEST)).toMatchObject({ status: 404, events: [] });
  await share();
  expect(await share()).toMatchObject({
    ...{ status: 409, body: { message: 'Group already shared with this group' }, events: [] },
  });
  for (const caller of [MAINTAINER, GUEST])
    expect(await share({}, caller)).toMatchObject({ status: 403, events: [] });
  expect(await call(unshareProject, { id: 7, group_id: TOP }, OWNER)).toMatchObject({
    ...{ status: 404, body: { message: '404 Group Link Not Found' } },
  });
});

test('a group that the caller does not see is not found', async () => {
  const hidden = group(60, null);
  const { share } = await start([hidden]);
  expect(await share({ group_id: 60 })).toMatchObject({
    ...{ status: 404, body: { message: '404 Group Not Found' } },
  });
});
