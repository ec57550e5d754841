import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from './open-database.ts';
import { openReplica } from './replica.ts';
import { sampleContract, sampleEvent } from './testing/sample.ts';

const PACKAGE = '@duckdb/node-api';
const isInstalled = await import(PACKAGE).then(
  () => true,
  () => false,
);

async function pathOf(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'forgelog-tables-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, name);
}

test.skipIf(isInstalled)('DuckDB that is not installed is told', async () => {
  await expect(openDatabase(await pathOf('tables.duckdb'))).rejects.toThrow(/install it beside this one/);
});

test.skipIf(!isInstalled)('DuckDB holds the same as SQLite', async () => {
  const group = (groupId: number, parentId: number | null) =>
    sampleEvent('GroupCreated', { groupId, parentId, name: `g${groupId}`, path: `g${groupId}` });
  const added = (accessLevel: number) =>
    sampleEvent('GroupMemberAdded', { groupId: 2, userId: 9, accessLevel, expiresAt: null });
  const events = [
    ...[group(1, null), group(2, 1), group(3, null)],
    sampleEvent('ProjectCreated', { projectId: 1, namespaceId: 2, name: 'p', path: 'p', settings: {} }),
    sampleEvent('ProjectUpdated', { projectId: 1, changes: { settings: { lfs_enabled: false } } }),
    added(30),
    sampleEvent('GroupMemberChanged', { groupId: 2, userId: 9, changes: { accessLevel: 40 } }),
    sampleEvent('GroupMemberRemoved', { groupId: 2, userId: 9 }),
    added(20),
    sampleEvent('IssueOpened', { issueId: 1, projectId: 1, confidential: true, labels: ['a'] }),
    sampleEvent('IssueClosed', { issueId: 1, closedById: 9, changes: { state: 'closed' } }),
    sampleEvent('GroupDeleted', { groupId: 1 }),
  ];
  const held = async (path: string) => {
    const database = await openDatabase(path);
    onTestFinished(() => database.close());
    await (await openReplica(database)).apply(events, sampleContract);
    const tables = ['groups', 'projects', 'issues', 'issue_states', 'group_rights', 'group_paths', 'events'];
    const read = tables.map((table) => database.all(`SELECT * FROM ${table} ORDER BY 1, 2, 3`));
    return JSON.stringify(await Promise.all(read));
  };
  expect(await held(await pathOf('tables.duckdb'))).toBe(await held(await pathOf('tables.sqlite')));
});
