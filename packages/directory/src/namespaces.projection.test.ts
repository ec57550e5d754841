import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectCreated, projectDeleted, userCreated } from '@forgelog/testing/sample-events.ts';
import { describe, expect, test } from 'vitest';
import { directoryFormerPaths, directoryNamespaces, directoryProjects } from './collections.ts';
import { directoryNamespacesProjection } from './namespaces.projection.ts';

type Event = { type: string; data: unknown };
const of = (...events: Event[]) => givenEvents(directoryNamespacesProjection, ...events);

const group = (groupId: number, parentId: number | null, path: string): Event => ({
  type: 'GroupCreated',
  data: { groupId, parentId, name: path.toUpperCase(), path, visibility: 'private', settings: {} },
});
const renamed = (groupId: number, changes: object): Event => ({
  type: 'GroupUpdated',
  data: { groupId, changes },
});
const project = (projectId: number, namespaceId: number): Event => {
  const { event } = projectCreated(projectId);
  return { ...event, data: { ...(event.data as object), namespaceId, ownerId: null } };
};
const updated = (changes: object): Event => ({ type: 'ProjectUpdated', data: { projectId: 7, changes } });

/** A group in a group with a project in it, and a project beside them. */
const tree = [group(1, null, 'top'), group(2, 1, 'sub'), project(7, 2), userCreated(5).event];

test('the namespace of a user is their name, and follows it', async () => {
  await of(userCreated(5).event).thenDocuments(directoryNamespaces, [
    {
      ...{ id: 1005, kind: 'user', parentId: null, ownerId: 5, path: 'user5', fullPath: 'user5' },
      ...{ visibility: 'public', ancestors: [1005] },
    },
  ]);
  const later = { type: 'UserUpdated', data: { userId: 5, changes: { username: 'Ada', name: 'Ada L.' } } };
  const events = [userCreated(5).event, projectCreated(7, { ownerId: 5 }).event, later];
  await of(...events).thenDocuments(directoryNamespaces, [
    { path: 'Ada', fullPathLower: 'ada', fullName: 'Ada L.' },
  ]);
  await of(...events).thenDocuments(directoryProjects, [
    { fullPath: 'Ada/project7', fullName: 'Ada L. / project7' },
  ]);
});

test('full paths, full names and ancestors go from the top', async () => {
  await of(...tree).thenDocuments(directoryNamespaces, [
    { id: 1, fullPath: 'top', ancestors: [1] },
    { id: 2, fullPath: 'top/sub', fullName: 'TOP / SUB', ancestors: [1, 2], projectCreationLevel: null },
    { id: 1005 },
  ]);
  await of(...tree).thenDocuments(directoryProjects, [
    { id: 7, fullPath: 'top/sub/project7', ancestors: [1, 2], archived: false },
  ]);
});

test('a renamed group moves all below it, and the former paths of projects are kept', async () => {
  const moved = of(...tree, renamed(1, { path: 'Head', name: 'Head' }));
  await moved.thenDocuments(directoryNamespaces, [
    { fullPath: 'Head' },
    { fullPath: 'Head/sub', fullPathLower: 'head/sub', fullName: 'Head / SUB' },
    { fullPath: 'user5' },
  ]);
  await moved.thenDocuments(directoryProjects, [{ fullPathLower: 'head/sub/project7' }]);
  await moved.thenDocuments(directoryFormerPaths, [{ fullPathLower: 'top/sub/project7', projectId: 7 }]);
});

test('a group moves before what lies in it, whatever their ids', async () => {
  const groups = [group(9, null, 'top'), group(5, 9, 'mid'), group(3, 5, 'low'), project(7, 3)];
  await of(...groups, renamed(9, { path: 'head' })).thenDocuments(directoryNamespaces, [
    ...[{ fullPath: 'head/mid/low' }, { fullPath: 'head/mid' }, { fullPath: 'head' }],
  ]);
});

test('what a group changes besides its name moves nothing', async () => {
  const opened = of(
    ...tree,
    renamed(1, { visibility: 'public', settings: { project_creation_level: 'noone' } }),
  );
  await opened.thenDocuments(directoryNamespaces, [
    { visibility: 'public', projectCreationLevel: 'noone' },
    { visibility: 'private', projectCreationLevel: null },
    {},
  ]);
  await opened.thenDocuments(directoryFormerPaths, []);
  // A later change keeps the setting.
  const later = of(group(1, null, 'top'), renamed(1, { settings: { project_creation_level: 'noone' } }));
  await later.thenDocuments(directoryNamespaces, [{ projectCreationLevel: 'noone' }]);
  const last = of(
    ...[group(1, null, 'top'), renamed(1, { settings: { project_creation_level: 'noone' } })],
    renamed(1, { settings: {} }),
  );
  await last.thenDocuments(directoryNamespaces, [{ projectCreationLevel: 'noone' }]);
});

test('with a group all below it is gone, and with a user their projects', async () => {
  const groupDeleted = { type: 'GroupDeleted', data: { groupId: 1, parentId: null } };
  await of(...tree, groupDeleted).thenDocuments(directoryNamespaces, [{ id: 1005 }]);
  await of(...tree, groupDeleted).thenDocuments(directoryProjects, []);
  const userDeleted = { type: 'UserDeleted', data: { userId: 5, namespaceId: 1005 } };
  const events = [...tree, projectCreated(8, { ownerId: 5 }).event, userDeleted];
  await of(...events).thenDocuments(directoryNamespaces, [{ id: 1 }, { id: 2 }]);
  await of(...events).thenDocuments(directoryProjects, [{ id: 7 }]);
});

describe('a project', () => {
  test('moves to a new path, and its former one is kept until it is deleted', async () => {
    const moved = [...tree, updated({ path: 'other', visibility: 'public', defaultBranch: 'main' })];
    await of(...moved).thenDocuments(directoryProjects, [
      { fullPath: 'top/sub/other', visibility: 'public', defaultBranch: 'main' },
    ]);
    await of(...moved).thenDocuments(directoryFormerPaths, [{ fullPathLower: 'top/sub/project7' }]);
    await of(...moved, projectDeleted(7).event).thenDocuments(directoryProjects, []);
    await of(...moved, projectDeleted(7).event).thenDocuments(directoryFormerPaths, []);
  });

  test('has the features that it was not given at their default, and keeps the others', async () => {
    const events = [...tree, updated({ settings: { issues_access_level: 'private' } })];
    const [before] = await of(...tree).documents(directoryProjects);
    const [after] = await of(...events).documents(directoryProjects);
    expect(after!.features).toEqual({ ...(before!.features as object), issues: 'private' });
    expect(after!.restricted).toEqual([...before!.restricted, 'issues:private'].sort());
    const [last] = await of(...events, updated({ name: 'Other' })).documents(directoryProjects);
    expect(last!.features).toEqual(after!.features);
  });

  test('is archived until it is not', async () => {
    const [archived, unarchived] = ['ProjectArchived', 'ProjectUnarchived'].map((type) => ({
      type,
      data: { projectId: 7 },
    }));
    await of(...tree, archived!).thenDocuments(directoryProjects, [{ archived: true }]);
    await of(...tree, archived!, unarchived!).thenDocuments(directoryProjects, [{ archived: false }]);
  });

  test('is marked for deletion until it is restored', async () => {
    const marks = (type: string, deletionDueAt: string | null) => ({
      type,
      data: { projectId: 7, groupId: 1, changes: { deletionDueAt } },
    });
    const at = '2026-11-27T12:00:00.000Z';
    for (const [kind, collection, id] of [
      ['Project', directoryProjects, 7],
      ['Group', directoryNamespaces, 1],
    ] as const) {
      const marked = [...tree, marks(`${kind}DeletionScheduled`, at)];
      const [before, after] = [marked, [...marked, marks(`${kind}DeletionCancelled`, null)]].map((events) =>
        of(...events).documents<typeof directoryProjects | typeof directoryNamespaces>(collection),
      );
      expect((await before)!.find((one) => one.id === id)).toMatchObject({ deletionDueAt: at });
      expect((await after)!.find((one) => one.id === id)).toMatchObject({ deletionDueAt: null });
    }
  });
});

describe('a group that moves', () => {
  const moved = (groupId: number, changes: object): Event => ({
    type: 'GroupTransferred',
    data: { groupId, fullPath: 'x', changes, previous: null },
  });
  const ended = (groupId: number) => ({ type: 'GroupDeleted', data: { groupId, parentId: null } });

  test('takes all below it along, and leaves their former paths', async () => {
    const after = of(group(3, null, 'other'), ...tree, group(4, 2, 'low'), moved(2, { parentId: 3 }));
    await after.thenDocuments(directoryNamespaces, [
      { id: 1, ancestors: [1] },
      { id: 2, parentId: 3, fullPath: 'other/sub', ancestors: [3, 2] },
      ...[{ id: 3 }, { id: 4, fullPath: 'other/sub/low', ancestors: [3, 2, 4] }, { id: 1005 }],
    ]);
    await after.thenDocuments(directoryProjects, [{ fullPath: 'other/sub/project7', ancestors: [3, 2] }]);
    await after.thenDocuments(directoryFormerPaths, [{ fullPathLower: 'top/sub/project7', projectId: 7 }]);
    const toTop = of(...tree, moved(2, { parentId: null }));
    await toTop.thenDocuments(directoryProjects, [{ fullPath: 'sub/project7', ancestors: [2] }]);
  });

  test('opens nothing below it further than itself', async () => {
    const open = [renamed(1, { visibility: 'public' }), renamed(2, { visibility: 'public' })];
    const events = [...tree, ...open, updated({ visibility: 'internal' }), group(3, null, 'other')];
    const lowered = of(...events, moved(2, { parentId: 3, visibility: 'private' }));
    await lowered.thenDocuments(directoryNamespaces, [
      ...[{ id: 1, visibility: 'public' }, { id: 2, visibility: 'private' }, { id: 3 }, { id: 1005 }],
    ]);
    await lowered.thenDocuments(directoryProjects, [{ visibility: 'private' }]);
    const kept = of(...events, moved(2, { parentId: 3 }));
    await kept.thenDocuments(directoryProjects, [{ visibility: 'internal' }]);
  });

  test('out of or into a group that was deleted before is gone', async () => {
    for (const events of [
      [...tree, group(3, null, 'other'), ended(3), moved(1, { parentId: 3 })],
      [...tree, group(3, null, 'other'), ended(1), moved(2, { parentId: 3 }), ended(3)],
    ]) {
      await of(...events).thenDocuments(directoryNamespaces, [{ id: 1005 }]);
      await of(...events).thenDocuments(directoryProjects, []);
    }
  });
});
