import type { DomainEvent } from '@forgelog/contracts/event.ts';
import { bySystem, SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { applyTo, projected, recorded } from '@forgelog/eventing/testing/projecting.ts';
import { expect, test } from 'vitest';
import { auditEvents, auditEventsProjection } from './audit-events.projection.ts';
import type { AuditDetails } from './audit-rule.ts';

const user = (userId: number, name: string): DomainEvent => ({
  type: 'UserCreated',
  data: { userId, namespaceId: userId, username: name.toLowerCase(), name, admin: false },
});
const group = (groupId: number, parentId: number | null, path: string, fullPath: string): DomainEvent => ({
  type: 'GroupCreated',
  data: { groupId, parentId, path, name: path, fullPath, visibility: 'private', creatorId: 1 },
});
const project = (ownerId: number | null, namespaceId: number, fullPath: string): DomainEvent => ({
  type: 'ProjectCreated',
  data: { projectId: 7, namespaceId, ownerId, path: 'app', name: 'App', fullPath, visibility: 'private' },
});
const at = (events: readonly DomainEvent[], from = 1) =>
  events.map((event, index) => recorded(from + index, event, { actorId: 1 }));

async function entries(events: readonly DomainEvent[]) {
  const { all } = await projected(auditEventsProjection, at(events));
  return (await all(auditEvents))
    .toSorted((a, b) => a.id - b.id)
    .map(({ id, authorId, details }) => ({ id, authorId, details: details as AuditDetails }));
}

const history = [
  user(1, 'Ann'),
  group(5, null, 'acme', 'acme'),
  group(6, 5, 'sub', 'acme/sub'),
  project(null, 6, 'acme/sub/app'),
  { type: 'GroupUpdated', data: { groupId: 5, changes: { path: 'corp' } } },
  { type: 'ProjectUpdated', data: { projectId: 7, changes: { visibility: 'public' } } },
  { type: 'ProjectDeleted', data: { projectId: 7, namespaceId: 6, fullPath: 'corp/sub/app' } },
];

test('ids count the audited events in log order', async () => {
  expect((await entries(history)).map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test('the first owner of a group is a part of its creation', async () => {
  const member = { groupId: 5, userId: 1, accessLevel: 50, expiresAt: null };
  const owner = { type: 'GroupMemberAdded', data: { ...member, reason: 'created' } };
  const added = { type: 'GroupMemberAdded', data: { ...member, reason: 'added' } };
  const created = [user(1, 'Ann'), group(5, null, 'acme', 'acme')];
  expect(await entries([...created, owner])).toHaveLength(2);
  expect(await entries([...created, added])).toHaveLength(3);
});

test('the same log gives the same documents, even if a part is applied again', async () => {
  const events = at(history);
  const one = await projected(auditEventsProjection, events);
  const other = await projected(auditEventsProjection, events);
  await applyTo(other.readStore, auditEventsProjection, events);
  expect(await other.all(auditEvents)).toEqual(await one.all(auditEvents));
});

test('paths are those of the time, including renamed parent groups', async () => {
  const told = (await entries(history)).slice(3);
  expect(told.map(({ details }) => details.entity_path)).toEqual([
    'acme/sub/app',
    'corp',
    'corp/sub/app',
    'corp/sub/app',
  ]);
  expect(told[2]!.details).toMatchObject({ change: 'visibility', from: 'private', to: 'public' });
});

test('a personal project is named after its owner', async () => {
  const [, , moved] = await entries([
    user(1, 'Ann'),
    project(1, 1, 'ann/app'),
    { type: 'ProjectArchived', data: { projectId: 7 } },
  ]);
  expect(moved!.details).toMatchObject({
    entity_path: 'ann/app',
    custom_message: 'Archived project ann/app',
  });
});

test('other changes are listed by name, and secrets only by name', async () => {
  const [, changed] = await entries([
    user(1, 'Ann'),
    {
      type: 'UserUpdated',
      data: { userId: 1, changes: { passwordHash: '$argon2id$secret', profile: { bio: 'x' } } },
    },
  ]);
  expect(changed!.details).toMatchObject({ change: 'password, bio' });
  expect(JSON.stringify(changed)).not.toContain('secret');
});

test('the author of what the system did by itself is who set it off', async () => {
  const known = at([user(1, 'Ann'), project(1, 1, 'ann/app')]);
  const change = { type: 'ProjectUpdated', data: { projectId: 7, changes: { defaultBranch: 'main' } } };
  const push = { id: 'e', metadata: { ...SYSTEM_METADATA, actorId: 1, clientAddress: '192.0.2.1' } };
  const chosen = recorded(3, change, bySystem(push));
  const { all } = await projected(auditEventsProjection, [...known, chosen, recorded(4, change)]);
  const [, , byPush, bySelf] = (await all(auditEvents)).toSorted((a, b) => a.id - b.id);
  expect(byPush).toMatchObject({
    authorId: 1,
    details: { author_name: 'Ann', ip_address: '192.0.2.1' },
  });
  expect(bySelf).toMatchObject({ authorId: -1, details: { author_name: 'System', ip_address: null } });
});

test('changes have the names of the API', async () => {
  const [, , changed, environment] = await entries([
    user(1, 'Ann'),
    project(1, 1, 'ann/app'),
    { type: 'ProjectUpdated', data: { projectId: 7, changes: { defaultBranch: 'trunk' } } },
    { type: 'EnvironmentUpdated', data: { projectId: 7, environmentId: 3, changes: { externalUrl: null } } },
  ]);
  expect(changed!.details).toMatchObject({
    change: 'default_branch',
    custom_message: 'Changed project ann/app: default_branch',
  });
  expect(environment!.details).toMatchObject({
    change: 'external_url',
    custom_message: 'Changed environment 3: external_url',
  });
});
