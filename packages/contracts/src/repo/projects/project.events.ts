import { z } from 'zod';
import { visibility } from '../../admin/groups/group.events.ts';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import type { NameForfeitedEvent } from '../../shared/route.events.ts';

/** Settings under the names of the API; only those that differ from their default. */
export const projectSettings = z.record(z.string(), z.json());

/** The storage that always exists; the only one in a single process. */
export const DEFAULT_STORAGE = 'default';
/** The storage of the repository. Events from before there were several have none. */
const storage = z.string().default(DEFAULT_STORAGE);

/** Streams `project-<id>`. */
export const ProjectCreated = defineEvent({
  type: 'ProjectCreated',
  version: 1,
  service: 'repo',
  audit: privileged('Project'),
  activity: 'told',
  schema: z.object({
    projectId: z.int(),
    namespaceId: z.int(),
    /** Owner of the personal namespace, null in a group. */
    ownerId: z.int().nullable(),
    creatorId: z.int(),
    name: z.string(),
    path: z.string(),
    /** Includes the namespace's path at that time. */
    fullPath: z.string(),
    description: z.string().nullable(),
    visibility,
    /** null until the first push decides. */
    defaultBranch: z.string().nullable(),
    storage,
    settings: projectSettings,
  }),
});

export const ProjectUpdated = defineEvent({
  type: 'ProjectUpdated',
  version: 1,
  service: 'repo',
  audit: privileged('Project'),
  activity: 'unnamed',
  schema: z.object({
    projectId: z.int(),
    changes: z
      .object({
        name: z.string(),
        path: z.string(),
        description: z.string().nullable(),
        visibility,
        defaultBranch: z.string().nullable(),
        settings: projectSettings,
      })
      .partial(),
  }),
});

export const ProjectArchived = defineEvent({
  type: 'ProjectArchived',
  version: 1,
  service: 'repo',
  audit: privileged('Project'),
  activity: 'unnamed',
  schema: z.object({ projectId: z.int() }),
});

export const ProjectUnarchived = defineEvent({
  type: 'ProjectUnarchived',
  version: 1,
  service: 'repo',
  audit: privileged('Project'),
  activity: 'unnamed',
  schema: z.object({ projectId: z.int() }),
});

export const ProjectDeleted = defineEvent({
  type: 'ProjectDeleted',
  version: 1,
  service: 'repo',
  audit: privileged('Project'),
  activity: 'removal',
  schema: z.object({ projectId: z.int(), namespaceId: z.int(), fullPath: z.string(), storage }),
});

/** Replaced by `NameForfeited`; exists in old logs. */
export const ProjectCreationAbandoned = defineEvent({
  type: 'ProjectCreationAbandoned',
  version: 1,
  service: 'repo',
  audit: 'system',
  activity: 'system',
  schema: z.object({ projectId: z.int() }),
});

export const projectEvents = [
  ProjectCreated,
  ProjectUpdated,
  ProjectArchived,
  ProjectUnarchived,
  ProjectDeleted,
] as const;
export type ProjectEvent = EventOf<(typeof projectEvents)[number]>;

/** Every event of a stream `project-<id>`. Failed creations concern only the stream itself. */
export type ProjectStreamEvent = ProjectEvent | EventOf<typeof ProjectCreationAbandoned> | NameForfeitedEvent;
