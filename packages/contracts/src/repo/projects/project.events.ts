import { z } from 'zod';
import { visibility } from '../../admin/groups/group.events.ts';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { alwaysChanged, changed, previousUnknown } from '../../shared/changes.ts';
import { deletionMark, projectId } from '../../shared/event.fields.ts';
import type { NameForfeitedEvent } from '../../shared/route.events.ts';
import examples from './project.events.examples.json' with { type: 'json' };
import { projectSettings } from './project-settings.fields.ts';

/** The storage that always exists; the only one in a single process. */
export const DEFAULT_STORAGE = 'default';
/** Events from before there were several storages have none. */
const storage = z
  .string()
  .default(DEFAULT_STORAGE)
  .describe('Name of the storage that holds the repository.');

const namespaceId = z.int().describe('Id of the group, or of the personal namespace.');
const fullPath = personal(
  z.string().describe('Path of the namespace and of the project at that time, joined by `/`.'),
);
const forkedFromProjectId = z
  .int()
  .nullable()
  .describe('Id of the project that it is a fork of; null if it is none.');
const attributes = {
  name: personal(z.string().describe('Name as people read it.')),
  path: personal(z.string().describe('Last segment of its address.')),
  description: personal(z.string().nullable().describe('What the project is for; null if not given.')),
  visibility,
  defaultBranch: personal(
    z.string().nullable().describe('Name of the default branch; null until the first push decides.'),
  ),
};

export const ProjectCreated = defineEvent({
  type: 'ProjectCreated',
  version: 2,
  description: 'A project was created, with an empty repository, or as a fork of another.',
  subject: 'project-<projectId>',
  example: examples.ProjectCreated,
  service: 'repo',
  audit: privileged('Project'),
  activity: 'told',
  schema: z.object({
    projectId,
    namespaceId,
    ownerId: z.int().nullable().describe('Id of the owner of the personal namespace; null in a group.'),
    creatorId: z.int().describe('Id of the user who created it.'),
    ...attributes,
    fullPath,
    storage,
    settings: projectSettings
      .partial()
      .describe('Settings that differ from their default; the others have their default.'),
    forkedFromProjectId: forkedFromProjectId.default(null),
    forkedAtRevision: z
      .int()
      .nullable()
      .default(null)
      .describe("Revision of the origin's refs that a fork begins with; null if there is none."),
  }),
  upcast: { 1: (data) => ({ ...data, forkedFromProjectId: null, forkedAtRevision: null }) },
});

export const ProjectUpdated = defineEvent({
  type: 'ProjectUpdated',
  version: 3,
  description: 'Attributes or settings of a project changed.',
  subject: 'project-<projectId>',
  example: examples.ProjectUpdated,
  service: 'repo',
  audit: privileged('Project'),
  activity: 'unnamed',
  schema: z.object({
    projectId,
    ...changed({
      ...attributes,
      settings: projectSettings.partial().describe('The changed settings.'),
      forkedFromProjectId,
    }),
  }),
  upcast: { 1: previousUnknown, 2: (data) => data },
});

export const PROJECT_ARCHIVED = { changes: { archived: true }, previous: { archived: false } } as const;
export const PROJECT_UNARCHIVED = { changes: { archived: false }, previous: { archived: true } } as const;

export const ProjectArchived = defineEvent({
  type: 'ProjectArchived',
  version: 2,
  description: 'A project was archived: it can be read, and no longer changed.',
  subject: 'project-<projectId>',
  example: examples.ProjectArchived,
  service: 'repo',
  audit: privileged('Project'),
  activity: 'unnamed',
  schema: z.object({ projectId, ...alwaysChanged(PROJECT_ARCHIVED) }),
  upcast: { 1: (data) => ({ ...data, ...PROJECT_ARCHIVED }) },
});

export const ProjectUnarchived = defineEvent({
  type: 'ProjectUnarchived',
  version: 2,
  description: 'A project is no longer archived.',
  subject: 'project-<projectId>',
  example: examples.ProjectUnarchived,
  service: 'repo',
  audit: privileged('Project'),
  activity: 'unnamed',
  schema: z.object({ projectId, ...alwaysChanged(PROJECT_UNARCHIVED) }),
  upcast: { 1: (data) => ({ ...data, ...PROJECT_UNARCHIVED }) },
});

export const ProjectDeletionScheduled = defineEvent({
  type: 'ProjectDeletionScheduled',
  version: 1,
  description: 'A project was marked for deletion: until then only its owners see it, and can restore it.',
  subject: 'project-<projectId>',
  example: examples.ProjectDeletionScheduled,
  service: 'repo',
  audit: privileged('Project'),
  activity: 'unnamed',
  schema: z.object({ projectId, ...deletionMark }),
});

export const ProjectDeletionCancelled = defineEvent({
  type: 'ProjectDeletionCancelled',
  version: 1,
  description: 'A project was restored before its deletion; it is as it was.',
  subject: 'project-<projectId>',
  example: examples.ProjectDeletionCancelled,
  service: 'repo',
  audit: privileged('Project'),
  activity: 'unnamed',
  schema: z.object({ projectId, ...deletionMark }),
});

export const ProjectDeleted = defineEvent({
  type: 'ProjectDeleted',
  version: 1,
  description: 'A project was deleted, with all that was in it.',
  subject: 'project-<projectId>',
  example: examples.ProjectDeleted,
  service: 'repo',
  audit: privileged('Project'),
  activity: 'removal',
  schema: z.object({
    projectId,
    namespaceId,
    fullPath,
    storage: storage.describe(
      'Name of the storage that the project was created on; RepositoryMoved tells of a later one.',
    ),
  }),
});

const ownerId = z.int().nullable().describe('Id of the owner of the personal namespace; null in a group.');

export const ProjectTransferred = defineEvent({
  type: 'ProjectTransferred',
  version: 1,
  description: 'A project was moved to another namespace.',
  subject: 'project-<projectId>',
  example: examples.ProjectTransferred,
  service: 'repo',
  audit: privileged('Project'),
  activity: 'unnamed',
  schema: z.object({
    projectId,
    ownerId,
    previousOwnerId: z
      .int()
      .nullable()
      .describe('Id of the owner of the personal namespace that it left; null for a group.'),
    fullPath,
    ...changed({ namespaceId, ownerId, visibility }),
  }),
});

/** Replaced by `NameForfeited`; exists in old logs. */
export const ProjectCreationAbandoned = defineEvent({
  type: 'ProjectCreationAbandoned',
  version: 1,
  description: 'The creation of a project broke off; found in old logs only.',
  subject: 'project-<projectId>',
  example: examples.ProjectCreationAbandoned,
  service: 'repo',
  audit: 'system',
  activity: 'system',
  schema: z.object({ projectId }),
});

export const projectEvents = [
  ProjectCreated,
  ProjectUpdated,
  ProjectArchived,
  ProjectUnarchived,
  ProjectTransferred,
  ProjectDeletionScheduled,
  ProjectDeletionCancelled,
  ProjectDeleted,
] as const;
export type ProjectEvent = EventOf<(typeof projectEvents)[number]>;

/** Every event of a stream `project-<id>`. Failed creations concern only the stream itself. */
export type ProjectStreamEvent = ProjectEvent | EventOf<typeof ProjectCreationAbandoned> | NameForfeitedEvent;
