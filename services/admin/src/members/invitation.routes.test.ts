import {
  inviteToGroup,
  inviteToProject,
  listGroupInvitations,
  listProjectInvitations,
} from '@forgelog/contracts/admin/members/invitation.api.ts';
import { memberAdded, on, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { groupCreated, inGroup } from '../testing/group-events.ts';
import { memberSlice } from './member.slice.ts';

const OWNER = 1;
const MAINTAINER = 2;
const DEVELOPER = 3;
const AMY = 4;
const EVE = 5;
const further = {
  type: 'UserEmailCreated',
  data: { userEmailId: 1, userId: AMY, email: 'amy@engines.example', confirmed: true },
};
const { event: eve } = userCreated(EVE);
const given = [
  ...[OWNER, MAINTAINER, DEVELOPER, AMY].map((id) => userCreated(id)),
  on(`user-${EVE}`, { ...eve, data: { ...(eve.data as object), confirmed: false } }),
  on(`user-${AMY}`, further),
  projectCreated(7),
  memberAdded(7, MAINTAINER, 40),
  memberAdded(7, DEVELOPER, 30),
  inGroup(groupCreated(50, { creatorId: OWNER })),
];
const start = () => startSlices([memberSlice], given);
const NOBODY = 'is not the confirmed address of a user, and nobody else can be invited';

test('users are members of a project at once, by any confirmed address of theirs', async () => {
  const { call } = await start();
  const email = 'AMY@engines.example';
  const wanted = { id: 7, email, access_level: 20, expires_at: '2999-01-31' };
  expect(await call(inviteToProject, wanted, MAINTAINER)).toMatchObject({
    ...{ status: 201, body: { status: 'success' } },
    events: [{ type: 'ProjectMemberAdded', data: { userId: AMY, accessLevel: 20, expiresAt: '2999-01-31' } }],
  });
  const all = `user4@example.org, user5@example.org,nobody@example.org,${email}`;
  expect(await call(inviteToProject, { ...wanted, email: all }, MAINTAINER)).toMatchObject({
    status: 201,
    body: {
      status: 'error',
      message: {
        'user4@example.org': 'User already exists in source',
        'user5@example.org': NOBODY,
        'nobody@example.org': NOBODY,
        [email]: 'User already exists in source',
      },
    },
    events: [],
  });
  expect((await call(listProjectInvitations, { id: 7 }, MAINTAINER)).body).toEqual([]);
});

test('users are members of a group at once, and one that fails keeps no other out', async () => {
  const { call } = await start();
  const email = 'user3@example.org,nobody@example.org,user4@example.org';
  expect(await call(inviteToGroup, { id: 50, email, access_level: 50 }, OWNER)).toMatchObject({
    body: { status: 'error', message: { 'nobody@example.org': NOBODY } },
    events: [
      { type: 'GroupMemberAdded', data: { userId: DEVELOPER } },
      { type: 'GroupMemberAdded', data: { userId: AMY } },
    ],
  });
  expect((await call(listGroupInvitations, { id: 50 }, OWNER)).body).toEqual([]);
});

test('who may add no member invites none, and a wrong level or day changes nothing', async () => {
  const { call } = await start();
  const wanted = { id: 7, email: 'user4@example.org', access_level: 30 };
  const answers = [
    await call(inviteToProject, wanted, DEVELOPER),
    await call(listProjectInvitations, { id: 7 }, DEVELOPER),
    await call(inviteToProject, { ...wanted, access_level: 50 }, MAINTAINER),
    await call(inviteToProject, { ...wanted, expires_at: '2020-01-01' }, MAINTAINER),
    await call(inviteToProject, { ...wanted, email: '' }, MAINTAINER),
    await call(inviteToProject, { ...wanted, email: ' ,' }, MAINTAINER),
    await call(inviteToGroup, { ...wanted, id: 50 }, AMY),
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 400, 400, 400, 400, 404]);
  expect(answers.flatMap(({ events }) => events)).toEqual([]);
});
