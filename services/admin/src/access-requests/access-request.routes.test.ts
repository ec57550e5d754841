import {
  groupAccessRequests,
  projectAccessRequests,
} from '@forgelog/contracts/admin/access-requests/access-request.api.ts';
import { addGroupMember, listGroupMembers } from '@forgelog/contracts/admin/members/group-member.api.ts';
import {
  addProjectMember,
  listProjectMembers,
} from '@forgelog/contracts/admin/members/project-member.api.ts';
import { memberAdded, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { groupSlice } from '../groups/group.slice.ts';
import { memberSlice } from '../members/member.slice.ts';
import { groupCreated, groupMemberAdded, inGroup } from '../testing/group-events.ts';
import { userSlice } from '../users/user.slice.ts';
import { accessRequestSlice } from './access-request.slice.ts';

const OWNER = 1;
const MAINTAINER = 2;
const ASKER = 3;
const ADMIN = 4;
const OTHER = 5;
const slices = [userSlice, groupSlice, memberSlice, accessRequestSlice];
const open = { visibility: 'public' } as const;
const given = [
  ...[OWNER, MAINTAINER, ASKER, OTHER].map((id) => userCreated(id)),
  userCreated(ADMIN, { admin: true }),
  ...[projectCreated(7, { ownerId: OWNER, ...open }), projectCreated(8, { ownerId: OWNER })],
  projectCreated(9, { ownerId: OWNER, ...open, settings: { request_access_enabled: false } }),
  ...[memberAdded(7, MAINTAINER, 40), memberAdded(7, OTHER, 10)],
  ...[groupCreated(20, open), groupMemberAdded(20, OWNER, 50), groupMemberAdded(20, MAINTAINER, 40)].map(
    inGroup,
  ),
  inGroup(groupCreated(21, { ...open, settings: { request_access_enabled: false } })),
];
const places = [
  { of: projectAccessRequests, id: 7, list: listProjectMembers, add: addProjectMember, kind: 'Project' },
  { of: groupAccessRequests, id: 20, list: listGroupMembers, add: addGroupMember, kind: 'Group' },
];

test.each(places)(
  'a user asks for access to a $kind, and becomes a developer',
  async ({ of, id, list, kind }) => {
    const { call } = await startSlices(slices, given);
    const asked = await call(of.create, { id }, ASKER);
    expect(asked).toMatchObject({
      status: 201,
      body: { id: ASKER, username: 'user3', requested_at: expect.any(String) },
      events: [{ type: `${kind}AccessRequestCreated`, data: { userId: ASKER } }],
    });
    expect(asked.body).not.toHaveProperty('email');
    expect(await call(of.create, { id }, ASKER)).toMatchObject({
      status: 400,
      body: { message: { user_id: ['already exists in source'] } },
      events: [],
    });
    expect((await call(of.list, { id }, OWNER)).body).toEqual([asked.body]);
    expect((await call(of.list, { id }, ASKER)).status).toBe(403);
    const one = { id, user_id: ASKER };
    expect((await call(of.approve, one, ASKER)).status).toBe(403);
    expect(await call(of.approve, one, OWNER)).toMatchObject({
      status: 201,
      body: { id: ASKER, access_level: 30, expires_at: null },
      events: [{ type: `${kind}MemberAdded`, data: { userId: ASKER, accessLevel: 30, expiresAt: null } }],
    });
    expect((await call(of.list, { id }, OWNER)).body).toEqual([]);
    const members = (await call(list, { id, user_ids: [ASKER] }, OWNER)).body;
    expect(members).toMatchObject([{ id: ASKER, access_level: 30 }]);
    const missing = { status: 404, body: { message: '404 Not found' }, events: [] };
    for (const endpoint of [of.approve, of.deny])
      expect(await call(endpoint, one, OWNER)).toMatchObject(missing);
  },
);

test.each(places)(
  'a request to a $kind is denied, taken back, and ended by a membership',
  async ({ of, id, add, kind }) => {
    const { call } = await startSlices(slices, given);
    const one = { id, user_id: ASKER };
    await call(of.create, { id }, ASKER);
    expect((await call(of.deny, one, OTHER)).status).toBe(403);
    expect(await call(of.deny, one, OWNER)).toMatchObject({
      status: 204,
      events: [{ type: `${kind}AccessRequestDeleted`, data: { userId: ASKER, reason: 'denied' } }],
    });
    expect((await call(of.create, { id }, ASKER)).status).toBe(201);
    expect((await call(of.deny, one, ASKER)).events).toMatchObject([{ data: { reason: 'withdrawn' } }]);
    expect((await call(of.deny, one, ASKER)).status).toBe(404);
    await call(of.create, { id }, ASKER);
    await call(add, { id, user_id: ASKER, access_level: 20 }, OWNER);
    expect((await call(of.list, { id }, OWNER)).body).toEqual([]);
    expect((await call(of.approve, one, OWNER)).status).toBe(404);
  },
);

test.each(places)(
  'a level that a $kind does not give is refused, and the request stays',
  async ({ of, id, kind }) => {
    const { call } = await startSlices(slices, given);
    await call(of.create, { id }, ASKER);
    const wrong = kind === 'Project' ? [0, 5, 50, 31] : [0, 31];
    for (const access_level of wrong)
      expect(await call(of.approve, { id, user_id: ASKER, access_level }, OWNER)).toMatchObject({
        status: 400,
        events: [],
      });
    expect((await call(of.list, { id }, OWNER)).body).toHaveLength(1);
    expect((await call(of.approve, { id, user_id: ASKER, access_level: 10 }, OWNER)).body.access_level).toBe(
      10,
    );
  },
);

test('members do not ask, nor where nobody may, nor of what they do not see', async () => {
  const { call } = await startSlices(slices, given);
  const { create } = projectAccessRequests;
  const answers = [
    ...[await call(create, { id: 7 }, OWNER), await call(create, { id: 7 }, OTHER)],
    ...[await call(create, { id: 9 }, ASKER), await call(create, { id: 8 }, ASKER)],
    ...[await call(create, { id: 7 }, null), await call(groupAccessRequests.create, { id: 20 }, MAINTAINER)],
    await call(groupAccessRequests.create, { id: 21 }, ASKER),
    ...[await call(groupAccessRequests.list, { id: 20 }, MAINTAINER)],
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 404, 401, 403, 403, 403]);
  expect(answers.flatMap(({ events }) => events)).toEqual([]);
  // Administrators are members of what they belong to alone.
  expect((await call(create, { id: 7 }, ADMIN)).status).toBe(201);
});
