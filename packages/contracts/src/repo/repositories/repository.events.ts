import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { changed } from '../../shared/changes.ts';
import { projectId } from '../../shared/event.fields.ts';
import examples from './repository.events.examples.json' with { type: 'json' };

/** The most refs and authors that PushReceived lists, and the most commits whose authors it looks at. */
export const PUSH_BOUNDS = { refs: 100, authors: 20, authoredCommits: 500 } as const;

const moved = {
  ref: personal(z.string().describe('Full name of the ref: `refs/heads/main`.')),
  oldOid: z.string().describe('Object id before; 40 zeros for a creation.'),
  newOid: z.string().describe('Object id after; 40 zeros for a deletion.'),
  commitCount: z
    .int()
    .describe('Number of new commits, reachable from the new object and not from the old one, up to 10,000.'),
};
const via = z.enum(['push', 'api']).describe('Whether git pushed it or a request of the API changed it.');
const pushOptions = personal(z.array(z.string()).default([]).describe('Options of `git push -o`.'));
const forced = z
  .boolean()
  .nullable()
  .describe('Whether commits of a branch were dropped, or a tag was moved; null if not known.');

const merge = z
  .object({
    iid: z.int().describe('Number of the merge request in its project.'),
    sha: z.string().describe('Id of the newest merged commit of the source branch.'),
    mergeCommitSha: z
      .string()
      .nullable()
      .describe('Id of the merge commit; null if the branch was fast-forwarded.'),
    squashCommitSha: z
      .string()
      .nullable()
      .describe('Id of the commit that the merged commits were squashed into; null if they were not.'),
  })
  .nullable()
  .describe('The merge request that moved the branch; null if none did, or it is not known.');

/** Git's own refs are a projection of these events (ADR 6). */
export const RefUpdated = defineEvent({
  type: 'RefUpdated',
  version: 4,
  description:
    'A ref of a repository, a branch or a tag, was created, moved or deleted, by a push or by the API.',
  subject: 'repository-<projectId>',
  example: examples.RefUpdated,
  service: 'repo',
  audit: 'content',
  activity: 'told',
  schema: z.object({
    projectId,
    ...moved,
    via: z
      .enum(['push', 'api', 'fork'])
      .describe('Whether git pushed it, a request of the API changed it, or a fork began with it.'),
    commitTitle: personal(
      z
        .string()
        .nullable()
        .describe('Title of the newest commit; null for a deletion, and where a fork began.'),
    ),
    pushOptions,
    commitCountIsLowerBound: z
      .boolean()
      .nullable()
      .describe('Whether counting stopped before the last commit; null if not known.'),
    forced,
    pushId: z
      .string()
      .nullable()
      .describe(
        'Id of the push, which PushReceived has too; null where a fork began, and in events of before there were such ids.',
      ),
    merge,
    suggestionIds: z
      .array(z.int())
      .nullable()
      .describe('Ids of the suggestions that the new commit applies; null if it applies none.'),
  }),
  upcast: {
    1: (data) => ({ ...data, commitCountIsLowerBound: null, forced: null, pushId: null }),
    2: (data) => ({ ...data, merge: null }),
    3: (data) => ({ ...data, suggestionIds: null }),
  },
  downcast: { 3: (data) => ({ ...data, via: data.via === 'fork' ? 'api' : data.via }) },
});

export const RepositoryForked = defineEvent({
  type: 'RepositoryForked',
  version: 1,
  description: 'A fork has all refs that it begins with: it follows the RefUpdated of each.',
  subject: 'repository-<projectId>',
  example: examples.RepositoryForked,
  service: 'repo',
  audit: 'content',
  activity: 'unnamed',
  schema: z.object({
    projectId,
    forkedFromProjectId: z.int().describe('Id of the project that it is a fork of.'),
    refCount: z.int().min(0).describe('Number of refs that it begins with.'),
  }),
});

export const PushReceived = defineEvent({
  type: 'PushReceived',
  version: 1,
  description:
    'All refs of a push, or of a request of the API, have moved: it follows the last RefUpdated with its id.',
  subject: 'repository-<projectId>',
  example: examples.PushReceived,
  service: 'repo',
  audit: 'content',
  activity: 'unnamed',
  schema: z.object({
    projectId,
    pushId: z.string().describe('Id of the push.'),
    via,
    pushOptions,
    refCount: z.int().min(1).describe('Number of refs that moved.'),
    refs: z
      .array(
        z.object({
          ...moved,
          kind: z.enum(['branch', 'tag', 'other']).describe('What the ref is.'),
          change: z.enum(['created', 'moved', 'deleted']).describe('What happened to the ref.'),
          forced,
        }),
      )
      .max(PUSH_BOUNDS.refs)
      .describe(`The refs that moved, the first ${PUSH_BOUNDS.refs} of them; each has a RefUpdated.`),
    commitCount: z.int().describe('Number of new commits on all branches, each counted once.'),
    commitCountIsLowerBound: z.boolean().describe('Whether there are more commits than were counted.'),
    authors: personal(
      z
        .array(
          z.object({
            name: z.string().describe('Name of the author, its first 255 characters.'),
            utcOffset: z.string().describe('Time zone of the author dates: `+02:00`.'),
            commits: z.int().min(1).describe('Number of new commits by this author in this time zone.'),
          }),
        )
        .max(PUSH_BOUNDS.authors)
        .describe(
          `Authors of the new commits by time zone, most commits first: ${PUSH_BOUNDS.authors} at most, of the newest ${PUSH_BOUNDS.authoredCommits} commits.`,
        ),
    ),
    authorsAreComplete: z.boolean().describe('Whether `authors` tells of every new commit.'),
  }),
});

export const RepositoryMeasured = defineEvent({
  type: 'RepositoryMeasured',
  version: 1,
  description: 'A repository was measured after its refs moved.',
  subject: 'repositoryStatistics-<projectId>',
  example: examples.RepositoryMeasured,
  service: 'repo',
  audit: 'system',
  activity: 'system',
  schema: z.object({
    projectId,
    repositorySize: z.int().describe('Size of the repository in bytes.'),
    commitCount: z.int().describe('Number of commits of the default branch, up to a limit.'),
    readmePath: z
      .string()
      .nullable()
      .describe('Path of the README at the root of the default branch; null if there is none.'),
  }),
});

/** The one event by which a repository is no longer here but there: it is appended among those of its refs (ADR 90). */
export const RepositoryMoved = defineEvent({
  type: 'RepositoryMoved',
  version: 1,
  description: 'A repository, with all its objects and refs, is on another storage from now on.',
  subject: 'repository-<projectId>',
  example: examples.RepositoryMoved,
  service: 'repo',
  audit: 'system',
  activity: 'system',
  schema: z.object({
    projectId,
    moveId: z.int().describe('Id of the move.'),
    ...changed({ storage: z.string().describe('Name of the storage that holds the repository.') }),
  }),
});

export const repositoryEvents = [
  RefUpdated,
  PushReceived,
  RepositoryForked,
  RepositoryMeasured,
  RepositoryMoved,
] as const;
export type RepositoryMovedEvent = EventOf<typeof RepositoryMoved>;
export type RepositoryEvent = EventOf<(typeof repositoryEvents)[number]>;
