import { z } from 'zod';
import { visibility } from '../../admin/groups/group.events.ts';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import type { NameForfeitedEvent } from '../../shared/route.events.ts';

/** Settings of a project under the API's own names; only those that differ from their default are there. */
export const projectSettings = z.record(z.string(), z.json());

/** The storage of repositories that is always there, and the only one in one process. */
export const DEFAULT_STORAGE = 'default';
/** Name of the storage that holds the repository, from its creation on; events of before there were several lack it. */
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
    /** Owner of the personal namespace it is in, null in a group. */
    ownerId: z.int().nullable(),
    creatorId: z.int(),
    name: z.string(),
    path: z.string(),
    /** With the namespace's path, at the time. */
    fullPath: z.string(),
    description: z.string().nullable(),
    visibility,
    /** null until the first push decides it. */
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

/** What `NameForfeited` says of a creation that broke off, in logs of before there was one protocol for all names. */
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

/** All that a stream `project-<id>` can hold. What never came to be concerns nobody but the stream itself. */
export type ProjectStreamEvent = ProjectEvent | EventOf<typeof ProjectCreationAbandoned> | NameForfeitedEvent;
