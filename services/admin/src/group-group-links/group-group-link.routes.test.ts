import {
  shareGroup,
  unshareGroup,
} from '@forgelog/contracts/admin/group-group-links/group-group-link.api.ts';
import { getGroup, listGroups } from '@forgelog/contracts/admin/groups/group.api.ts';
import { listAllGroupMembers } from '@forgelog/contracts/admin/members/group-member.api.ts';
import { listAllProjectMembers } from '@forgelog/contracts/admin/members/project-member.api.ts';
import { shareProject } from '@forgelog/contracts/admin/project-group-links/project-group-link.api.ts';
import { actingUser } from '@forgelog/directory/acting-user.ts';
import { createAuthorizer } from '@forgelog/directory/authorizer.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { and } from '@forgelog/eventing/query.ts';
import { projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { groupSlice } from '../groups/group.slice.ts';
import { memberSlice } from '../members/member.slice.ts';
import { projectGroupLinkSlice } from '../project-group-links/project-group-link.slice.ts';
import { groupCreated, groupMemberAdded, inGroup, projectInGroup } from '../testing/group-events.ts';
import { projectsOfGroups } from '../testing/projects-of-groups.slice.ts';
import { groupGroupLinkSlice } from './group-group-link.slice.ts';
import { endGroupShares } from './group-share-ends.commands.ts';

const [OWNER, MAINTAINER, GUEST, MINIMAL, ABOVE, OUTSIDER] = [1, 2, 3, 4, 5, 6] as const;
const USERS = [OWNER, MAINTAINER, GUEST, MINIMAL, ABOVE, OUTSIDER];
/** The shared group and one in it, and the group that it is shared with and the one above that. */
const [SHARED, BELOW, TEAM, COMPANY, FAR] = [50, 51, 61, 60, 70] as const;
const PROJECT = 8;

const given = [
  ...USERS.map((id) => userCreated(id)),
  projectCreated(7),
  inGroup(groupCreated(SHARED)),
  inGroup(groupCreated(BELOW, { parentId: SHARED, fullPath: 'group50/group51' })),
  projectInGroup(PROJECT, BELOW),
  inGroup(groupCreated(COMPANY, { creatorId: null })),
  inGroup(groupCreated(TEAM, { creatorId: null, parentId: COMPANY, fullPath: 'group60/group61' })),
  inGroup(groupCreated(FAR, { creatorId: null })),
  inGroup(groupMemberAdded(TEAM, OWNER, 10)),
  inGroup(groupMemberAdded(TEAM, MAINTAINER, 40)),
  inGroup(groupMemberAdded(TEAM, GUEST, 10)),
  inGroup(groupMemberAdded(TEAM, MINIMAL, 5)),
  inGroup(groupMemberAdded(COMPANY, ABOVE, 50)),
  inGroup(groupMemberAdded(FAR, OUTSIDER, 50)),
  inGroup(groupMemberAdded(FAR, OWNER, 50)),
];

async function start(more: typeof given = []) {
  let now = Date.parse('2030-01-30T12:00:00Z');
  const slices = [
    ...[groupSlice, memberSlice, projectGroupLinkSlice, groupGroupLinkSlice],
    projectsOfGroups(),
  ];
  const running = await startSlices(slices, [...given, ...more], { clock: () => new Date(now) });
  const { call, ports } = running;
  const authorizer = createAuthorizer(ports.directory);
  const callers = () => Promise.all(USERS.map(async (id) => (await actingUser(ports.directory, id))!));
  return {
    ...running,
    share: (params: object = {}, as: number | null = OWNER) =>
      call(shareGroup, { id: SHARED, group_id: TEAM, group_access: 30, ...params }, as),
    /** What each user may do there: undefined where they do not see it. */
    async levels(kind: 'group' | 'project', id: number) {
      const grants = (await callers()).map((caller) => authorizer[kind](String(id), caller));
      return (await Promise.all(grants)).map((grant) => grant?.level);
    },
    /** Ids of the projects that each user sees with Reporter or more. */
    seen: async () =>
      Promise.all((await callers()).map((caller) => ports.directory.projectsWith(caller, 20, 'id'))),
    days: (count: number) => {
      now += count * 86_400_000;
    },
  };
}

const NOBODY = [50, undefined, undefined, undefined, undefined, undefined];
const SHARED_LEVELS = [50, 30, 10, undefined, 30, undefined];
const levelsOf = (body: { id: number; access_level: number }[]) =>
  body.map(({ id, access_level }) => [id, access_level]);

test('members of the group, and those above it, are in the shared group and all below, up to a level', async () => {
  const { share, levels, seen, call } = await start();
  const places = [
    ['group', SHARED],
    ['group', BELOW],
    ['project', PROJECT],
  ] as const;
  for (const [kind, id] of places) expect(await levels(kind, id)).toEqual(NOBODY);
  const shared = await share();
  const shown = { group_id: TEAM, group_name: 'group61', group_full_path: 'group60/group61' };
  expect(shared).toMatchObject({
    status: 201,
    body: {
      id: SHARED,
      shared_with_groups: [{ ...shown, group_access_level: 30, expires_at: null }],
    },
    events: [
      {
        type: 'GroupGroupLinkCreated',
        data: { groupId: SHARED, sharedWithGroupId: TEAM, accessLevel: 30, expiresAt: null },
      },
    ],
  });
  for (const [kind, id] of places) expect(await levels(kind, id), `${kind} ${id}`).toEqual(SHARED_LEVELS);
  const members = [
    [OWNER, 50],
    [MAINTAINER, 30],
    [GUEST, 10],
    [ABOVE, 30],
  ];
  for (const id of [SHARED, BELOW])
    expect(levelsOf((await call(listAllGroupMembers, { id }, GUEST)).body), `group ${id}`).toEqual(members);
  expect(levelsOf((await call(listAllProjectMembers, { id: PROJECT }, GUEST)).body)).toEqual(members);
  const sees = (await seen()).map((where) => /[[,]8[\],]/.test(JSON.stringify(where)));
  expect(sees).toEqual([true, true, false, false, true, false]);
  const listed = async (params: object, as: number) =>
    (await call(listGroups, { order_by: 'id', ...params }, as)).body.map(({ id }: { id: number }) => id);
  expect(await listed({}, MAINTAINER)).toEqual([SHARED, BELOW, COMPANY, TEAM]);
  expect(await listed({ min_access_level: 30 }, MAINTAINER)).toEqual([SHARED, BELOW, TEAM]);
  expect(await listed({ min_access_level: 40 }, MAINTAINER)).toEqual([TEAM]);
  // Who does not see the group does not learn of the share.
  const joined = inGroup(groupMemberAdded(SHARED, OUTSIDER, 10));
  const outside = await start([joined]);
  await outside.share();
  const other = await outside.call(getGroup, { id: SHARED }, OUTSIDER);
  expect(other.body.shared_with_groups).toEqual([]);
  const gone = await call(unshareGroup, { id: SHARED, group_id: TEAM }, OWNER);
  expect(gone).toMatchObject({ status: 204, events: [{ type: 'GroupGroupLinkDeleted' }] });
  for (const [kind, id] of places) expect(await levels(kind, id)).toEqual(NOBODY);
});

test('a share does not reach members of a group that the other one is shared with in turn', async () => {
  const { share, levels, call } = await start([inGroup(groupMemberAdded(TEAM, OWNER, 50))]);
  expect(await share({ id: TEAM, group_id: FAR })).toMatchObject({ status: 201 });
  await share();
  expect(await levels('group', TEAM)).toEqual([50, 40, 10, 5, 50, 30]);
  expect(await levels('group', SHARED)).toEqual(SHARED_LEVELS);
  // A project that is shared with the group is for all who have a level in that.
  expect(await call(shareProject, { id: 7, group_id: TEAM, group_access: 20 }, OWNER)).toMatchObject({
    status: 201,
  });
  expect(await levels('project', 7)).toEqual([50, 20, 10, undefined, 20, 20]);
  const { body } = await call(listAllProjectMembers, { id: 7 }, OUTSIDER);
  expect(levelsOf(body)).toEqual([
    [OWNER, 40],
    [MAINTAINER, 20],
    [GUEST, 10],
    [ABOVE, 20],
    [OUTSIDER, 20],
  ]);
});

test('a share ends on its day, and can be made anew; it ends with one of its groups', async () => {
  const { share, levels, days, ports } = await start();
  await share({ expires_at: '2030-02-01' });
  days(1);
  expect(await levels('group', BELOW)).toEqual(SHARED_LEVELS);
  days(1);
  expect(await levels('group', BELOW)).toEqual(NOBODY);
  const { events } = await share();
  expect(events.map(({ type }) => type)).toEqual(['GroupGroupLinkDeleted', 'GroupGroupLinkCreated']);
  expect(await levels('group', BELOW)).toEqual(SHARED_LEVELS);
  await endGroupShares(ports, {
    ...{ where: and(), reason: 'deleted', metadata: SYSTEM_METADATA, signal: new AbortController().signal },
  });
  expect(await levels('group', BELOW)).toEqual(NOBODY);
});

test('owners alone share, with a group that they see, once, and not with one above', async () => {
  const { share, call } = await start([inGroup(groupCreated(80, { creatorId: OUTSIDER }))]);
  for (const [params, status] of [
    [{ group_access: 0 }, 400],
    [{ group_access: 5 }, 400],
    [{ expires_at: '2030-01-29' }, 400],
    [{ group_id: 999 }, 404],
    [{ group_id: 1001 }, 404], // a personal namespace
    [{ group_id: 80 }, 404], // hidden from the caller
    [{ group_id: SHARED }, 409],
    [{ id: BELOW, group_id: SHARED }, 409],
  ] as const)
    expect(await share(params), JSON.stringify(params)).toMatchObject({ status, events: [] });
  expect(await share({}, GUEST)).toMatchObject({ status: 404, events: [] });
  expect(await share({ group_access: 50 })).toMatchObject({ status: 201 });
  expect(await share()).toMatchObject({
    ...{ status: 409, body: { message: 'The group has already been shared with this group' }, events: [] },
  });
  expect(await share({ group_id: FAR }, MAINTAINER)).toMatchObject({ status: 403, events: [] });
  expect(await call(unshareGroup, { id: SHARED, group_id: FAR }, OWNER)).toMatchObject({
    ...{ status: 404, body: { message: '404 Group Link Not Found' } },
  });
});
