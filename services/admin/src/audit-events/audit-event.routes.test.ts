import {
  getAuditEvent,
  getGroupAuditEvent,
  getProjectAuditEvent,
  listAuditEvents,
  listGroupAuditEvents,
  listProjectAuditEvents,
} from '@forgelog/contracts/admin/audit-events/audit-event.api.ts';
import { addGroupMember } from '@forgelog/contracts/admin/members/group-member.api.ts';
import {
  addProjectMember,
  removeProjectMember,
} from '@forgelog/contracts/admin/members/project-member.api.ts';
import { memberAdded, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { memberSlice } from '../members/member.slice.ts';
import { groupCreated, groupMemberAdded, inGroup, projectInGroup } from '../testing/group-events.ts';
import { auditEventSlice } from './audit-event.slice.ts';

const OWNER = 1;
const MAINTAINER = 2;
const DEVELOPER = 3;
const OUTSIDER = 4;
const ADMIN = 5;
const GUEST = 6;
// Group 50 holds project 7. The events of the system have the ids 1 to 13, in this order.
const given = [
  ...[OWNER, MAINTAINER, DEVELOPER, OUTSIDER].map((id) => userCreated(id)),
  userCreated(ADMIN, { admin: true }),
  userCreated(GUEST),
  inGroup(groupCreated(50)),
  projectInGroup(7, 50),
  ...[groupMemberAdded(50, MAINTAINER, 40), groupMemberAdded(50, DEVELOPER, 30)].map(inGroup),
  memberAdded(7, DEVELOPER, 30),
  memberAdded(7, GUEST, 10),
  inGroup(groupMemberAdded(50, ADMIN, 10)),
];
const OF_GROUP = [13, 10, 9, 7];
const OF_PROJECT = [12, 11, 8];

async function start() {
  let now = Date.parse('2030-01-01T00:00:00Z');
  const clock = { passes: (seconds: number) => (now += seconds * 1000) };
  const { call } = await startSlices([memberSlice, auditEventSlice], given, { clock: () => new Date(now) });
  return { call, clock };
}
const ids = (body: { id: number }[]) => body.map(({ id }) => id);

test('a change is one entry with all that belongs to it', async () => {
  const { call, clock } = await start();
  clock.passes(60);
  await call(addProjectMember, { id: 7, user_id: OUTSIDER, access_level: 30 }, MAINTAINER);
  const { status, body } = await call(listProjectAuditEvents, { id: 7 }, MAINTAINER);
  expect([status, ids(body)]).toEqual([200, [14, ...OF_PROJECT]]);
  expect(body[0]).toEqual({
    ...{ id: 14, author_id: MAINTAINER, entity_id: 7, entity_type: 'Project' },
    details: {
      ...{ author_name: 'User 2', target_id: OUTSIDER, target_type: 'User', target_details: 'User 4' },
      ...{ ip_address: '127.0.0.1', entity_path: 'group50/project7' },
      ...{ custom_message: 'Added User 4 as Developer', add: 'user_access', to: 'Developer' },
    },
    created_at: '2030-01-01T00:01:00.000Z',
  });
  const one = { id: 7, audit_event_id: 14 };
  expect((await call(getProjectAuditEvent, one, MAINTAINER)).body).toEqual(body[0]);
  expect((await call(getAuditEvent, { id: 14 }, ADMIN)).body).toEqual(body[0]);
  expect((await call(getAuditEvent, { id: 1 }, ADMIN)).body).toMatchObject({
    ...{ author_id: -1, entity_type: 'User', details: { author_name: 'System', ip_address: null } },
  });
});

test('a refused change has no entry', async () => {
  const { call } = await start();
  const refused = await call(addProjectMember, { id: 7, user_id: OUTSIDER, access_level: 30 }, DEVELOPER);
  expect(refused.status).toBe(403);
  expect(ids((await call(listProjectAuditEvents, { id: 7 }, MAINTAINER)).body)).toEqual(OF_PROJECT);
});

test('owners of a group see all its entries, other members their own', async () => {
  const { call } = await start();
  await call(addGroupMember, { id: 50, user_id: OUTSIDER, access_level: 30 }, OWNER);
  expect(ids((await call(listGroupAuditEvents, { id: 50 }, OWNER)).body)).toEqual([14, ...OF_GROUP]);
  for (const caller of [MAINTAINER, DEVELOPER])
    expect((await call(listGroupAuditEvents, { id: 50 }, caller)).body).toEqual([]);
  const one = { id: 50, audit_event_id: 14 };
  expect((await call(getGroupAuditEvent, one, OWNER)).body).toMatchObject({ id: 14, author_id: OWNER });
  expect((await call(getGroupAuditEvent, one, MAINTAINER)).status).toBe(403);
});

test('maintainers of a project see all its entries, developers their own', async () => {
  const { call } = await start();
  await call(removeProjectMember, { id: 7, user_id: DEVELOPER }, DEVELOPER);
  expect((await call(listProjectAuditEvents, { id: 7 }, DEVELOPER)).body).toMatchObject([
    { id: 14, author_id: DEVELOPER, details: { custom_message: 'Left by User 3' } },
  ]);
  expect(ids((await call(listProjectAuditEvents, { id: 7 }, MAINTAINER)).body)).toEqual([14, ...OF_PROJECT]);
  // One by one, entries are for maintainers.
  const one = { id: 7, audit_event_id: 14 };
  expect((await call(getProjectAuditEvent, one, DEVELOPER)).status).toBe(403);
  expect((await call(getProjectAuditEvent, one, MAINTAINER)).status).toBe(200);
});

test('others see no entries', async () => {
  const { call } = await start();
  for (const [endpoint, params] of [
    [listGroupAuditEvents, { id: 50 }],
    [getGroupAuditEvent, { id: 50, audit_event_id: 7 }],
    [listProjectAuditEvents, { id: 7 }],
    [getProjectAuditEvent, { id: 7, audit_event_id: 8 }],
  ] as const) {
    expect((await call(endpoint, params, OUTSIDER)).status).toBe(404);
    expect((await call(endpoint, params)).status).toBe(401);
  }
  expect((await call(listProjectAuditEvents, { id: 7 }, GUEST)).status).toBe(403);
  expect((await call(listAuditEvents, {}, OWNER)).status).toBe(403);
  expect((await call(getAuditEvent, { id: 1 }, OWNER)).status).toBe(403);
});

test('an entry is found only where it belongs', async () => {
  const { call } = await start();
  const missing = { status: 404, body: { message: '404 Not found' } };
  expect(await call(getProjectAuditEvent, { id: 7, audit_event_id: 7 }, OWNER)).toMatchObject(missing);
  expect(await call(getGroupAuditEvent, { id: 50, audit_event_id: 8 }, OWNER)).toMatchObject(missing);
  expect(await call(getAuditEvent, { id: 99 }, ADMIN)).toMatchObject(missing);
});

test('the instance list is filtered by entity and by page, the newest first', async () => {
  const { call } = await start();
  const list = async (params: object) => ids((await call(listAuditEvents, { ...params }, ADMIN)).body);
  expect(await list({})).toEqual([13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  expect(await list({ entity_type: 'User' })).toEqual([6, 5, 4, 3, 2, 1]);
  expect(await list({ entity_type: 'Group', entity_id: 50 })).toEqual(OF_GROUP);
  expect(await list({ entity_type: 'Project', entity_id: 50 })).toEqual([]);
  expect(await list({ per_page: 2, page: 2 })).toEqual([11, 10]);
  for (const [wrong, error] of [
    [{ entity_id: 7 }, 'entity_type is missing'],
    [{ entity_type: 'Issue' }, 'entity_type does not have a valid value'],
    [{ created_after: 'soon' }, 'created_after is invalid'],
  ] as const)
    expect(await call(listAuditEvents, wrong, ADMIN)).toMatchObject({ status: 400, body: { error } });
});

test('a range of times includes both ends, in every list', async () => {
  const { call, clock } = await start();
  clock.passes(60);
  await call(addProjectMember, { id: 7, user_id: OUTSIDER, access_level: 30 }, OWNER);
  await call(addGroupMember, { id: 50, user_id: OUTSIDER, access_level: 30 }, OWNER);
  const [first, last] = ['2030-01-01T00:00:00Z', '2030-01-01T00:01:00Z'];
  for (const [endpoint, params, caller, newest] of [
    [listAuditEvents, { entity_type: 'Project' }, ADMIN, 14],
    [listProjectAuditEvents, { id: 7 }, OWNER, 14],
    [listGroupAuditEvents, { id: 50 }, OWNER, 15],
  ] as const) {
    const list = async (range: object) => ids((await call(endpoint, { ...params, ...range }, caller)).body);
    const older = newest === 14 ? OF_PROJECT : OF_GROUP;
    expect(await list({ created_after: first, created_before: last })).toEqual([newest, ...older]);
    expect(await list({ created_after: last })).toEqual([newest]);
    expect(await list({ created_before: first })).toEqual(older);
  }
});
