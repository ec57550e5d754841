import {
  PROJECT_ARCHIVED,
  PROJECT_UNARCHIVED,
  ProjectCreated,
  type ProjectStreamEvent,
} from '@forgelog/contracts/repo/projects/project.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { describe, expect, test } from 'vitest';
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
  forkedFromProjectId: null,
  forkedAtRevision: null,
  groupVisibility: null,
  storages: ['default', 'second'],
};
const { type: _, groupVisibility: __, storages: ___, ...data } = creation;
const created: ProjectStreamEvent = { type: 'ProjectCreated', data };
const deleted = {
  type: 'ProjectDeleted',
  data: { projectId: 7, namespaceId: 3, fullPath: 'group/path', storage: 'default' },
} satisfies ProjectStreamEvent;

const update = (changes: Extract<ProjectCommand, { type: 'UpdateProject' }>['changes']) =>
  ({
    type: 'UpdateProject',
    projectId: 7,
    changes,
    groupVisibility: null,
    originVisibility: null,
    storages: creation.storages,
  }) as const;

type Fields = Extract<ProjectStreamEvent, { type: 'ProjectUpdated' }>['data']['changes'];
const updated = (changes: Fields, previous: Fields): ProjectStreamEvent => ({
  type: 'ProjectUpdated',
  data: { projectId: 7, changes, previous },
});
const archived: ProjectStreamEvent = {
  type: 'ProjectArchived',
  data: { projectId: 7, ...PROJECT_ARCHIVED },
};
const archive = { type: 'ArchiveProject', projectId: 7 } as const;
const unarchive = { type: 'UnarchiveProject', projectId: 7 } as const;
const remove = { type: 'DeleteProject', projectId: 7 } as const;

test('a new project keeps the settings that differ from the defaults', () => {
  given(projectDecider)
    .when({ ...creation, settings: { merge_method: 'ff', lfs_enabled: true } })
    .thenEvents({ type: 'ProjectCreated', data: { ...data, settings: { merge_method: 'ff' } } });
});

test('a project is created once', () => {
  given(projectDecider, created).when(creation).thenRejected('conflict');
  given(projectDecider, created, deleted).when(creation).thenRejected('conflict');
});

test('all problems are reported at once', () => {
  given(projectDecider)
    .when({
      ...creation,
      name: '',
      path: '.',
      description: 'x'.repeat(2001),
      visibility: 'public',
      groupVisibility: 'private',
    })
    .thenRejected('validation_failed', {
      message: {
        name: ["can't be blank"],
        path: [expect.stringContaining('can contain only')],
        description: ['is too long (maximum is 2000 characters)'],
        visibility_level: ['public is not allowed since its group has private visibility.'],
      },
    });
});

test('a project is at most as open as its group', () => {
  given(projectDecider)
    .when({ ...creation, visibility: 'internal', groupVisibility: 'internal' })
    .thenEvents({ type: 'ProjectCreated', data: { ...data, visibility: 'internal' } });
  given(projectDecider, created)
    .when({ ...update({ visibility: 'public' }), groupVisibility: 'internal' })
    .thenRejected('validation_failed', {
      message: { visibility_level: ['public is not allowed since its group has internal visibility.'] },
    });
});

test('an update records only changes, with their old values and the defaults of settings', () => {
  given(projectDecider, created)
    .when(update({ name: 'Other', path: 'path', settings: { merge_method: 'ff' } }))
    .thenEvents(
      updated(
        { name: 'Other', settings: { merge_method: 'ff' } },
        { name: 'Name', settings: { merge_method: 'merge' } },
      ),
    );
  given(projectDecider, created)
    .when(update({ name: 'Name', description: undefined, settings: { merge_method: 'merge' } }))
    .thenEvents();
});

test('a setting can go back to its default', () => {
  given(
    projectDecider,
    created,
    updated({ settings: { merge_method: 'ff' } }, { settings: { merge_method: 'merge' } }),
  )
    .when(update({ settings: { merge_method: 'merge' } }))
    .thenEvents(updated({ settings: { merge_method: 'merge' } }, { settings: { merge_method: 'ff' } }));
});

test('the first push chooses the default branch, the second does not', () => {
  const choose = { type: 'ChooseDefaultBranch', projectId: 7, branch: 'main', missing: null } as const;
  const chosen = updated({ defaultBranch: 'main' }, { defaultBranch: null });
  given(projectDecider, created).when(choose).thenEvents(chosen);
  given(projectDecider, created, chosen)
    .when({ ...choose, branch: 'other' })
    .thenEvents();
  // A default branch that does not exist counts as none.
  given(projectDecider, created, chosen)
    .when({ ...choose, branch: 'other', missing: 'main' })
    .thenEvents(updated({ defaultBranch: 'other' }, { defaultBranch: 'main' }));
});

test('archiving, unarchiving or deleting twice is a no-op', () => {
  given(projectDecider, created).when(archive).thenEvents(archived);
  given(projectDecider, created, archived).when(archive).thenEvents();
  given(projectDecider, created, archived)
    .when(unarchive)
    .thenEvents({ type: 'ProjectUnarchived', data: { projectId: 7, ...PROJECT_UNARCHIVED } });
  given(projectDecider, created).when(unarchive).thenEvents();
  given(projectDecider, created).when(remove).thenEvents(deleted);
  given(projectDecider, created, deleted).when(remove).thenEvents();
});

test('a deletion after a rename names the path that the project had then', () => {
  given(projectDecider, created, updated({ path: 'other' }, { path: 'path' }))
    .when(remove)
    .thenEvents({ ...deleted, data: { ...deleted.data, fullPath: 'group/other' } });
});

test('a deleted or missing project cannot be changed', () => {
  given(projectDecider)
    .when(update({ name: 'x' }))
    .thenRejected('not_found', { message: '404 Project Not Found' });
  for (const command of [update({ name: 'x' }), archive, unarchive])
    given(projectDecider, created, deleted).when(command).thenRejected('not_found');
});

test('an abandoned project is never created, and an existing one only loses the names', () => {
  const forfeited: ProjectStreamEvent = { type: 'NameForfeited', data: { holder: 'project', holderId: 7 } };
  const abandoned: ProjectStreamEvent = { type: 'ProjectCreationAbandoned', data: { projectId: 7 } };
  for (const end of [forfeited, abandoned])
    given(projectDecider, end).when(creation).thenRejected('conflict');
  given(projectDecider, created, forfeited)
    .when(update({ name: 'Other' }))
    .thenEvents(updated({ name: 'Other' }, { name: 'Name' }));
});

test('a project is created in an existing storage, and no update names another that does not exist', () => {
  const unknown = { message: { repository_storage: ['is not included in the list'] } };
  const inSecond: ProjectStreamEvent = { type: 'ProjectCreated', data: { ...data, storage: 'second' } };
  given(projectDecider)
    .when({ ...creation, storage: 'elsewhere' })
    .thenRejected('validation_failed', unknown);
  given(projectDecider)
    .when({ ...creation, storage: 'second' })
    .thenEvents(inSecond);
  given(projectDecider, inSecond)
    .when(remove)
    .thenEvents({ ...deleted, data: { ...deleted.data, storage: 'second' } });
  const move = (storage: string) => ({ ...update({ name: 'Moved' }), storage });
  given(projectDecider, inSecond).when(move('elsewhere')).thenRejected('validation_failed', unknown);
  given(projectDecider, inSecond)
    .when(move('default'))
    .thenEvents(updated({ name: 'Moved' }, { name: 'Name' }));
});

test('projects from before storages are in the default one', () => {
  const { storage: _storage, ...old } = data;
  expect(ProjectCreated.schema.parse(old)).toMatchObject({ storage: 'default' });
});

test('a project is linked as a fork once, over a deleted origin at most', () => {
  const linked = updated({ forkedFromProjectId: 3 }, { forkedFromProjectId: null });
  const link = (originId: number, over: number | null = null) =>
    ({ type: 'LinkFork', projectId: 7, originId, over }) as const;
  given(projectDecider, created).when(link(3)).thenEvents(linked);
  given(projectDecider, created, linked).when(link(4)).thenRejected('conflict');
  given(projectDecider, created, linked)
    .when(link(4, 3))
    .thenEvents(updated({ forkedFromProjectId: 4 }, { forkedFromProjectId: 3 }));
  const unlink = { type: 'UnlinkFork', projectId: 7 } as const;
  given(projectDecider, created, linked)
    .when(unlink)
    .thenEvents(updated({ forkedFromProjectId: null }, { forkedFromProjectId: 3 }));
  given(projectDecider, created).when(unlink).thenEvents();
});

test('a fork is opened no further than its origin', () => {
  const open = { ...update({ visibility: 'internal' }), originVisibility: 'private' } as const;
  given(projectDecider, created).when(open).thenRejected('validation_failed');
  given(projectDecider, created)
    .when({ ...open, originVisibility: 'internal' })
    .thenEvents(updated({ visibility: 'internal' }, { visibility: 'private' }));
});

describe('a project that is marked for deletion', () => {
  const at = '2026-11-27T12:00:00.000Z';
  const schedule = { type: 'ScheduleProjectDeletion', projectId: 7, deletionDueAt: at } as const;
  const cancel = { type: 'CancelProjectDeletion', projectId: 7 } as const;
  const scheduled: ProjectStreamEvent = {
    type: 'ProjectDeletionScheduled',
    data: { projectId: 7, changes: { deletionDueAt: at }, previous: { deletionDueAt: null } },
  };
  const cancelled: ProjectStreamEvent = {
    type: 'ProjectDeletionCancelled',
    data: { projectId: 7, changes: { deletionDueAt: null }, previous: { deletionDueAt: at } },
  };
  const due = (now: string | null) => ({ type: 'DeleteMarkedProject', projectId: 7, now }) as const;

  test('is marked once, and restored once', () => {
    given(projectDecider, created).when(schedule).thenEvents(scheduled);
    given(projectDecider, created, scheduled)
      .when({ ...schedule, deletionDueAt: '2030-01-01T00:00:00.000Z' })
      .thenEvents();
    given(projectDecider, created, scheduled).when(cancel).thenEvents(cancelled);
    for (const events of [[created], [created, scheduled, cancelled]])
      given(projectDecider, ...events)
        .when(cancel)
        .thenRejected('refused', { message: 'Project has not been marked for deletion' });
    given(projectDecider, created, scheduled, cancelled).when(schedule).thenEvents(scheduled);
  });

  test('is deleted when its time has come, once, and not after a restoration', () => {
    const marked = [created, scheduled];
    given(projectDecider, ...marked)
      .when(due('2026-11-27T11:59:59.999Z'))
      .thenEvents();
    given(projectDecider, ...marked)
      .when(due(at))
      .thenEvents(deleted);
    given(projectDecider, ...marked, cancelled)
      .when(due('2030-01-01T00:00:00.000Z'))
      .thenEvents();
    given(projectDecider, ...marked, deleted)
      .when(due(at))
      .thenEvents();
  });

  test('is deleted for good whenever its time is, and only if it is marked', () => {
    given(projectDecider, created, scheduled).when(due(null)).thenEvents(deleted);
    given(projectDecider, created)
      .when(due(null))
      .thenRejected('refused', { message: 'Project must be marked for deletion first.' });
  });

  test('does not change, but for what the system does with its forks', () => {
    for (const command of [update({ name: 'Other' }), archive, unarchive])
      given(projectDecider, created, scheduled)
        .when(command)
        .thenRejected('forbidden', { message: '403 Forbidden - The project is marked for deletion' });
    given(projectDecider, created, scheduled).when({ type: 'UnlinkFork', projectId: 7 }).thenEvents();
    given(projectDecider, created, scheduled, cancelled)
      .when(update({ name: 'Other' }))
      .thenEvents(updated({ name: 'Other' }, { name: 'Name' }));
  });
});

test('a project below a group that became less open follows it', () => {
  const open: ProjectStreamEvent = { type: 'ProjectCreated', data: { ...data, visibility: 'public' } };
  const lower = { type: 'LowerVisibility', projectId: 7, ceiling: 'internal' } as const;
  given(projectDecider, open)
    .when(lower)
    .thenEvents(updated({ visibility: 'internal' }, { visibility: 'public' }));
  given(projectDecider, created).when(lower).thenEvents();
  given(projectDecider, open, deleted).when(lower).thenEvents();
});
