import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Database } from './database.ts';
import { openDatabase } from './open-database.ts';
import type { PublishedEvent } from './published-event.ts';
import { openReplica, type Replica } from './replica.ts';
import { sampleContract, sampleEvent } from './testing/sample.ts';

async function opened(): Promise<{ database: Database; replica: Replica; path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'forgelog-tables-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'tables.sqlite');
  const database = await openDatabase(path);
  onTestFinished(() => database.close());
  return { database, replica: await openReplica(database), path };
}

async function filled(...events: readonly PublishedEvent[]): Promise<Database> {
  const { database, replica } = await opened();
  await replica.apply(events, sampleContract);
  return database;
}

const group = (groupId: number, parentId: number | null = null) =>
  sampleEvent('GroupCreated', { groupId, parentId, name: `g${groupId}`, path: `g${groupId}` });
const project = (projectId: number, namespaceId: number, more: object = {}) =>
  sampleEvent('ProjectCreated', { projectId, namespaceId, name: 'p', path: 'p', settings: {}, ...more });
const issue = (issueId: number, projectId: number) =>
  sampleEvent('IssueOpened', {
    issueId,
    projectId,
    iid: issueId,
    title: 'i',
    labels: ['bug'],
    createdAt: null,
  });
const note = (noteId: number, projectId: number, noteableId: number) =>
  sampleEvent('DiscussionStarted', { noteId, projectId, noteableId, noteableType: 'Issue', body: 'b' });
const closed = { changes: { state: 'closed' }, previous: { state: 'opened' } };

const alive = (database: Database, table: string, id: string) =>
  database
    .all(`SELECT ${id} AS id FROM ${table} WHERE ended_at IS NULL ORDER BY 1`)
    .then((rows) => rows.map((row) => row.id));

test('a record begins with its fixed fields and the defaults of its settings, and changes by name', async () => {
  const database = await filled(
    project(1, 5, { settings: { topics: ['a'] } }),
    sampleEvent('ProjectUpdated', {
      projectId: 1,
      changes: { name: 'New', settings: { lfs_enabled: false } },
    }),
  );
  const [row] = await database.all('SELECT name, archived, settings FROM projects');
  expect(row).toEqual({ name: 'New', archived: 0, settings: '{"lfs_enabled":false,"topics":["a"]}' });
});

test('a time that nobody set is that of the event', async () => {
  const opening = issue(1, 1);
  const database = await filled(opening);
  expect(await database.all('SELECT created_at, began_at FROM issues')).toEqual([
    { created_at: opening.time, began_at: opening.time },
  ]);
});

test('a state has a row from when to when', async () => {
  const events = [
    issue(1, 1),
    sampleEvent('IssueClosed', { issueId: 1, closedById: 3, ...closed }),
    sampleEvent('IssueReopened', { issueId: 1, changes: { state: 'opened' } }),
    sampleEvent('IssueDeleted', { issueId: 1 }),
  ];
  const database = await filled(...events);
  const [begun, second, third, end] = events.map(({ time }) => time);
  expect(
    await database.all('SELECT state, valid_from, valid_until FROM issue_states ORDER BY valid_from'),
  ).toEqual([
    { state: 'opened', valid_from: begun, valid_until: second },
    { state: 'closed', valid_from: second, valid_until: third },
    { state: 'opened', valid_from: third, valid_until: end },
  ]);
  expect(await database.all('SELECT closed_at, ended_at FROM issues')).toEqual([
    { closed_at: null, ended_at: end },
  ]);
});

test('what ends takes along all below it, at any depth, and nothing beside it', async () => {
  const database = await filled(
    ...[group(1), group(2, 1), group(3)],
    ...[project(1, 2), project(2, 3), issue(1, 1), issue(2, 2), note(1, 1, 1), note(2, 2, 2)],
    sampleEvent('GroupMemberAdded', { groupId: 2, userId: 9, accessLevel: 30, expiresAt: null }),
    sampleEvent('GroupDeleted', { groupId: 1 }),
  );
  expect(await alive(database, 'groups', 'group_id')).toEqual([3]);
  expect(await alive(database, 'projects', 'project_id')).toEqual([2]);
  expect(await alive(database, 'issues', 'issue_id')).toEqual([2]);
  expect(await alive(database, 'notes', 'note_id')).toEqual([2]);
  expect(await alive(database, 'group_memberships', 'user_id')).toEqual([]);
  expect(await database.all('SELECT user_id FROM group_rights WHERE valid_until IS NULL')).toEqual([]);
});

test('what begins after the end of its owner is over', async () => {
  const database = await filled(
    ...[group(1), project(1, 1), issue(1, 1)],
    sampleEvent('GroupDeleted', { groupId: 1 }),
    ...[issue(2, 1), note(1, 1, 2)],
    ...[group(2), project(2, 2), issue(3, 2)],
  );
  expect(await alive(database, 'issues', 'issue_id')).toEqual([3]);
  expect(await alive(database, 'notes', 'note_id')).toEqual([]);
});

test('what belongs to no note ends with no end of a note', async () => {
  const database = await filled(
    sampleEvent('NoteDeleted', { discussionId: 'd' }),
    sampleEvent('EmojiAwarded', { awardId: 1, noteId: null }),
  );
  expect(await alive(database, 'awards', 'award_id')).toEqual([1]);
});

test('rights are told for any moment, inherited ones too, and end with the day of their expiry', async () => {
  const added = (groupId: number, userId: number, accessLevel: number, expiresAt: string | null = null) =>
    sampleEvent('GroupMemberAdded', { groupId, userId, accessLevel, expiresAt });
  const removed = sampleEvent('GroupMemberRemoved', { groupId: 1, userId: 7 });
  const again = added(1, 7, 40);
  const database = await filled(
    ...[group(1), group(2, 1), project(1, 2)],
    ...[added(1, 8, 20, '2026-02-01'), { ...added(1, 7, 30), time: '2026-01-01T00:00:00.000Z' }],
    { ...removed, position: 'p1', time: '2026-01-10T00:00:00.000Z' },
    { ...again, position: 'p2', time: '2026-01-20T00:00:00.000Z' },
  );
  const at = async (moment: string) => {
    const rows = await database.all(
      'SELECT user_id, access_level FROM project_rights WHERE project_id = 1 AND valid_from <= ? AND (valid_until IS NULL OR valid_until > ?) ORDER BY 1',
      [moment, moment],
    );
    return rows.map(({ user_id, access_level }) => `${user_id}: ${access_level}`);
  };
  expect(await at('2026-01-05T00:00:00.000Z')).toEqual(['7: 30', '8: 20']);
  expect(await at('2026-01-15T00:00:00.000Z')).toEqual(['8: 20']);
  expect(await at('2026-02-01T00:00:00.000Z')).toEqual(['7: 40']);
});

test('an event is written once, however often it arrives, and the position goes with it', async () => {
  const { database, replica, path } = await opened();
  const events = [group(1), group(2)];
  await replica.apply(events, sampleContract);
  await replica.apply([...events, group(3)], sampleContract);
  expect(await database.all('SELECT COUNT(*) AS n FROM events')).toEqual([{ n: 3 }]);
  expect((await openReplica(await openDatabase(path))).state()).toEqual({
    position: replica.state().position,
    count: 3,
  });
});

test('a transaction that fails writes nothing, and the next one may', async () => {
  const { database, replica } = await opened();
  const bad = sampleEvent('IssueOpened', { issueId: 1 }, { schemaversion: 99 });
  await expect(replica.apply([group(1), bad], sampleContract)).rejects.toThrow(
    /IssueOpened at p\d+ has version 99, and the tables are made for version 2. Update this program/,
  );
  expect(await database.all('SELECT * FROM groups')).toEqual([]);
  await replica.apply([group(2)], sampleContract);
  expect(await alive(database, 'groups', 'group_id')).toEqual([2]);
});

test('an event of an unknown type is kept among the events', async () => {
  const database = await filled(sampleEvent('RunnerRegistered', { projectId: 4 }));
  expect(await database.all('SELECT type, project_id FROM events')).toEqual([
    { type: 'RunnerRegistered', project_id: 4 },
  ]);
});

test('a second program on the same file, and tables of another version, are told', async () => {
  const { database, replica, path } = await opened();
  const other = await openReplica(await openDatabase(path));
  await other.apply([group(1)], sampleContract);
  await expect(replica.apply([group(2)], sampleContract)).rejects.toThrow(/another program follows/);
  await database.run("UPDATE replica_position SET tables = 'old'");
  await expect(openReplica(database)).rejects.toThrow(/another version of this program/);
});
