import { Rejection } from '@forgelog/contracts/errors.ts';
import { ProjectCreated, type ProjectStreamEvent } from '@forgelog/contracts/repo/projects/project.events.ts';
import { expect, test } from 'vitest';
import { type ProjectCommand, projectDecider } from './project.decider.ts';

const creation = {
  type: 'CreateProject' as const,
  projectId: 7,
  namespaceId: 3,
  ownerId: null,
  creatorId: 1,
  name: 'Name',
  path: 'path',
  fullPath: 'group/path',
  description: null,
  visibility: 'private' as const,
  defaultBranch: null,
  storage: 'default',
  settings: {},
  groupVisibility: null,
  storages: ['default', 'second'],
};
const { type: _, groupVisibility: __, storages: ___, ...data } = creation;
const created: ProjectStreamEvent = { type: 'ProjectCreated', data };
const deleted: ProjectStreamEvent = {
  type: 'ProjectDeleted',
  data: { projectId: 7, namespaceId: 3, fullPath: 'group/path', storage: 'default' },
};

const when = (command: ProjectCommand, ...given: ProjectStreamEvent[]) =>
  projectDecider.decide(command, given.reduce(projectDecider.evolve, projectDecider.initialState));
const rejection = (command: ProjectCommand, ...given: ProjectStreamEvent[]) => {
  try {
    when(command, ...given);
  } catch (error) {
    if (error instanceof Rejection) return error.body;
    throw error;
  }
  throw new Error('not rejected');
};
const update = (changes: Extract<ProjectCommand, { type: 'UpdateProject' }>['changes']) =>
  ({
    type: 'UpdateProject',
    projectId: 7,
    changes,
    groupVisibility: null,
    storages: creation.storages,
  }) as const;

test('a new project keeps the settings that differ from the defaults', () => {
  const settings = { merge_method: 'ff', lfs_enabled: true };
  expect(when({ ...creation, settings })).toEqual([
    { type: 'ProjectCreated', data: { ...data, settings: { merge_method: 'ff' } } },
  ]);
});

test('all problems are reported at once', () => {
  expect(
    rejection({ ...creation, name: '', path: '.', visibility: 'public', groupVisibility: 'private' }),
  ).toEqual({
    message: {
      name: ["can't be blank"],
      path: [expect.stringContaining('can contain only')],
      visibility_level: ['public is not allowed in a private group.'],
    },
  });
});

test('an update records only changes', () => {
  expect(when(update({ name: 'Other', path: 'path', settings: { merge_method: 'ff' } }), created)).toEqual([
    {
      type: 'ProjectUpdated',
      data: { projectId: 7, changes: { name: 'Other', settings: { merge_method: 'ff' } } },
    },
  ]);
  expect(
    when(update({ name: 'Name', description: undefined, settings: { merge_method: 'merge' } }), created),
  ).toEqual([]);
});

test('a setting can go back to its default', () => {
  const changed: ProjectStreamEvent = {
    type: 'ProjectUpdated',
    data: { projectId: 7, changes: { settings: { merge_method: 'ff' } } },
  };
  expect(when(update({ settings: { merge_method: 'merge' } }), created, changed)).toHaveLength(1);
});

test('the first push chooses the default branch, the second does not', () => {
  const choose = { type: 'ChooseDefaultBranch', projectId: 7, branch: 'main', missing: null } as const;
  const [chosen] = when(choose, created);
  expect(chosen).toEqual({
    type: 'ProjectUpdated',
    data: { projectId: 7, changes: { defaultBranch: 'main' } },
  });
  expect(when({ ...choose, branch: 'other' }, created, chosen!)).toEqual([]);
  // A default branch that does not exist counts as none.
  expect(when({ ...choose, branch: 'other', missing: 'main' }, created, chosen!)).toHaveLength(1);
});

test('archiving or deleting twice is a no-op', () => {
  const archive = { type: 'ArchiveProject', projectId: 7 } as const;
  const archived = when(archive, created);
  expect(archived).toHaveLength(1);
  expect(when(archive, created, ...archived)).toEqual([]);
  expect(when({ type: 'UnarchiveProject', projectId: 7 }, created)).toEqual([]);
  expect(when({ type: 'DeleteProject', projectId: 7 }, created)).toEqual([deleted]);
  expect(when({ type: 'DeleteProject', projectId: 7 }, created, deleted)).toEqual([]);
});

test('a deletion after a rename names the path that the project had then', () => {
  const renamed: ProjectStreamEvent = {
    type: 'ProjectUpdated',
    data: { projectId: 7, changes: { path: 'other' } },
  };
  expect(when({ type: 'DeleteProject', projectId: 7 }, created, renamed)).toMatchObject([
    { data: { fullPath: 'group/other' } },
  ]);
});

test('a deleted or missing project cannot be changed', () => {
  const gone = { message: '404 Project Not Found' };
  expect(rejection(update({ name: 'x' }))).toEqual(gone);
  expect(rejection(update({ name: 'x' }), created, deleted)).toEqual(gone);
  expect(rejection({ type: 'ArchiveProject', projectId: 7 }, created, deleted)).toEqual(gone);
});

test('an abandoned project is never created, and an existing one only loses the names', () => {
  const forfeited = { type: 'NameForfeited', data: { holder: 'project', holderId: 7 } } as const;
  const abandoned = { type: 'ProjectCreationAbandoned', data: { projectId: 7 } } as const;
  for (const end of [forfeited, abandoned]) expect(() => when(creation, end)).toThrow(Rejection);
  expect(when(update({ name: 'Other' }), created, forfeited)).toHaveLength(1);
});

test('a project is created in an existing storage and stays there', () => {
  expect(rejection({ ...creation, storage: 'elsewhere' })).toEqual({
    message: { repository_storage: ['is not included in the list'] },
  });
  const [made] = when({ ...creation, storage: 'second' });
  expect(made).toMatchObject({ data: { storage: 'second', settings: {} } });
  expect(when({ type: 'DeleteProject', projectId: 7 }, made!)).toMatchObject([
    { data: { storage: 'second' } },
  ]);
  const move = (storage: string) => ({ ...update({ name: 'Moved' }), storage });
  expect(rejection(move('default'), made!)).toEqual({
    message: { repository_storage: ['cannot be changed: repositories are not moved between storages'] },
  });
  expect(rejection(move('elsewhere'), made!)).toEqual({
    message: { repository_storage: ['is not included in the list'] },
  });
  expect(when(move('second'), made!)).toMatchObject([{ data: { changes: { name: 'Moved' } } }]);
});

test('projects from before storages are in the default one', () => {
  const { storage: _storage, ...old } = data;
  expect(ProjectCreated.schema.parse(old)).toMatchObject({ storage: 'default' });
});
