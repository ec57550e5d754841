import { z } from 'zod';
import { defineOperation } from '../../operation.ts';
import { commitFacts } from '../commits/commit.operations.ts';

/** Bounds of one answer. */
export const MERGE_BOUNDS = {
  conflicts: 1_000,
  pairs: 100,
  commits: 100,
  files: 1_000,
  rebased: 1_000,
  heads: 100,
  versions: 1_000,
} as const;

/** Milliseconds: a merge of large trees takes a minute at most. */
const MERGE_DEADLINE_MS = 90_000;

const projectId = z.int();
const sha = z.string().regex(/^[0-9a-f]{40}$/);
/** The same for a project that does not exist and for one whose repository the caller may not read. */
const noProject = z.strictObject({ refused: z.literal('no project') });
/** One of the commits is not in the repository. */
const noCommit = z.strictObject({ refused: z.literal('no commit') });

export const prepareSource = defineOperation({
  id: 'merge-source-prepare',
  service: 'repo',
  summary:
    'Tips of the two branches of a merge request, with the objects of the source in the target project',
  effect: 'read',
  readsRepository: true,
  deadlineMs: MERGE_DEADLINE_MS,
  request: z.strictObject({
    /** The target project. */
    projectId,
    sourceProjectId: z.int(),
    /** Names without `refs/heads/`. */
    sourceBranch: z.string(),
    targetBranch: z.string(),
  }),
  answer: z.union([
    noProject,
    z.strictObject({
      /**
       * `no source`: the source project does not exist, or the caller may not read its repository. `other storage`: the
       * two repositories are on different storages, which cannot share objects.
       */
      refused: z.enum(['no source', 'other storage']),
    }),
    z.strictObject({
      /** Tips; null where there is no such branch. */
      sourceSha: sha.nullable(),
      targetSha: sha.nullable(),
      /** Whether the caller may push to the source branch. */
      mayPushSource: z.boolean(),
      /** The target project's; null while its repository is empty. */
      defaultBranch: z.string().nullable(),
    }),
  ]),
});

export const describeMerge = defineOperation({
  id: 'merge-describe',
  service: 'repo',
  summary: 'What merging one commit into another would do',
  effect: 'read',
  readsRepository: true,
  deadlineMs: MERGE_DEADLINE_MS,
  request: z.strictObject({
    projectId,
    sourceSha: sha,
    targetSha: sha,
    /** Only for `mayMerge`. */
    targetBranch: z.string(),
    /** Whether to count the target's commits that the source lacks. */
    divergedCommits: z.boolean(),
    /** Whether to count the changed files. */
    changes: z.boolean(),
  }),
  answer: z.union([
    noProject,
    noCommit,
    z.strictObject({
      /** The merge base; null for unrelated histories. */
      baseSha: sha.nullable(),
      /** Paths, the first of them. */
      conflicts: z.array(z.string()).max(MERGE_BOUNDS.conflicts),
      /** Whether the source contains the target. */
      canFastForward: z.boolean(),
      /** Null where it was not asked for. */
      divergedCommits: z.int().nullable(),
      /** Number of files that differ between base and source; null where it was not asked for, or took too long. */
      changesCount: z.int().nullable(),
      changesCountIsLowerBound: z.boolean(),
      /** Whether the caller may merge into the target branch. */
      mayMerge: z.boolean(),
    }),
  ]),
});

export const describeMerges = defineOperation({
  id: 'merges-describe',
  service: 'repo',
  summary: 'Which of several merges would conflict, for lists of merge requests',
  effect: 'read',
  readsRepository: true,
  deadlineMs: MERGE_DEADLINE_MS,
  request: z.strictObject({
    projectId,
    pairs: z.array(z.strictObject({ sourceSha: sha, targetSha: sha })).max(MERGE_BOUNDS.pairs),
  }),
  answer: z.union([
    noProject,
    z.strictObject({
      /** In the order of the request; null where a commit is missing, or merging takes too long. */
      merges: z.array(z.strictObject({ conflicts: z.boolean(), canFastForward: z.boolean() }).nullable()),
    }),
  ]),
});

export const listMergeCommits = defineOperation({
  id: 'merge-commits-list',
  service: 'repo',
  summary: 'Commits of a merge request, newest first',
  effect: 'read',
  readsRepository: true,
  request: z.strictObject({
    projectId,
    /** The target's tip, whose history is left out. */
    startSha: sha,
    headSha: sha,
    offset: z.int().min(0),
    limit: z.int().min(1).max(MERGE_BOUNDS.commits),
  }),
  answer: z.union([
    noProject,
    noCommit,
    z.strictObject({ commits: z.array(commitFacts), hasMore: z.boolean() }),
  ]),
});

const changedFile = z.strictObject({
  oldPath: z.string(),
  newPath: z.string(),
  /** Octal digits; `0` on a side that does not exist. */
  aMode: z.string(),
  bMode: z.string(),
  /** Object ids; 40 zeros on a side that does not exist. */
  aOid: sha,
  bOid: sha,
  newFile: z.boolean(),
  renamedFile: z.boolean(),
  deletedFile: z.boolean(),
  /** The hunks, or `Binary files … differ`; empty if there are none or a limit was reached. */
  diff: z.string(),
  /** Whether a limit emptied `diff`. */
  tooLarge: z.boolean(),
});

export const readMergeDiff = defineOperation({
  id: 'merge-diff-read',
  service: 'repo',
  summary: 'What a merge request changes, from its merge base to its head',
  effect: 'read',
  readsRepository: true,
  deadlineMs: MERGE_DEADLINE_MS,
  request: z.strictObject({
    projectId,
    /** The target's tip. */
    startSha: sha,
    headSha: sha,
    /** Whether only memory bounds the answer, and not the limits of a diff that people read. */
    unlimited: z.boolean(),
  }),
  answer: z.union([
    noProject,
    noCommit,
    z.strictObject({
      /** Null for unrelated histories, where every file is new. */
      baseSha: sha.nullable(),
      files: z.array(changedFile),
      /** Whether a limit left out a file or emptied a `diff`. */
      overflow: z.boolean(),
      /** As in `merge-describe`. */
      filesCount: z.int().nullable(),
      filesCountIsLowerBound: z.boolean(),
    }),
  ]),
});

export type ChangedFile = z.output<typeof changedFile>;

const conflicting = z.strictObject({
  refused: z.literal('conflict'),
  conflicts: z.array(z.string()).max(MERGE_BOUNDS.conflicts),
});

/** A rule of the target project refuses the commits. */
const againstRules = z.strictObject({ refused: z.literal('rule'), message: z.string() });

export const mergeIntoBranch = defineOperation({
  id: 'merge-into-branch',
  service: 'repo',
  summary: 'Merge the source branch of a merge request into its target, by the method of the target project',
  effect: 'write',
  readsRepository: true,
  deadlineMs: MERGE_DEADLINE_MS,
  request: z.strictObject({
    /** The target project. */
    projectId,
    iid: z.int(),
    sourceProjectId: z.int(),
    sourceBranch: z.string(),
    targetBranch: z.string(),
    /** The tip that the source branch must have. */
    sha,
    /** Whether to squash, where the project leaves it open. */
    squash: z.boolean(),
    mergeMessage: z.string(),
    squashMessage: z.string(),
    /** Author of a squashed commit. The caller is the committer, and the author of a merge commit. */
    squashAuthorId: z.int(),
  }),
  answer: z.union([
    noProject,
    conflicting,
    againstRules,
    z.strictObject({
      /**
       * `no source`, `no target`: the branch, or its project, is gone. `forbidden`: the caller may not merge into the
       * target branch. `source moved`: its tip is not `sha`. `already merged`: the target contains the source.
       * `rebase needed`: the project's method needs a source that contains the target.
       */
      refused: z.enum([
        'no source',
        'no target',
        'other storage',
        'forbidden',
        'source moved',
        'already merged',
        'rebase needed',
      ]),
    }),
    z.strictObject({
      /** The merged tip of the source. */
      sha,
      /** The target's new tip. */
      targetSha: sha,
      mergeCommitSha: sha.nullable(),
      squashCommitSha: sha.nullable(),
    }),
  ]),
});

export const rebaseBranch = defineOperation({
  id: 'merge-branch-rebase',
  service: 'repo',
  summary: 'Put the commits of a branch on top of another commit',
  effect: 'write',
  readsRepository: true,
  deadlineMs: MERGE_DEADLINE_MS,
  request: z.strictObject({
    /** The project of the branch. */
    projectId,
    branch: z.string(),
    /** The tip that the branch must have. */
    sha,
    onto: z.strictObject({ projectId: z.int(), sha }),
    /** Whether the new commits start no pipeline. */
    skipCi: z.boolean(),
  }),
  answer: z.union([
    noProject,
    noCommit,
    conflicting,
    againstRules,
    z.strictObject({
      /** `too many commits`: more than 1,000 would have to be made anew. */
      refused: z.enum([
        'no branch',
        'no target',
        'other storage',
        'forbidden',
        'branch moved',
        'too many commits',
      ]),
    }),
    /** The branch's tip; it stays if it is on top of the other commit already. */
    z.strictObject({ sha }),
  ]),
});

export const deleteMergedBranch = defineOperation({
  id: 'merged-branch-delete',
  service: 'repo',
  summary: 'Delete the source branch of a merged merge request',
  effect: 'write',
  readsRepository: true,
  request: z.strictObject({
    /** The project of the branch. */
    projectId,
    branch: z.string(),
    /** The tip that was merged: a branch that has moved since stays. */
    sha,
  }),
  answer: z.union([
    noProject,
    z.strictObject({ refused: z.enum(['no branch', 'branch moved', 'protected', 'forbidden']) }),
    z.strictObject({ deleted: z.literal(true) }),
  ]),
});

export const writeMergeRef = defineOperation({
  id: 'merge-ref-write',
  service: 'repo',
  summary: 'Set `refs/merge-requests/<iid>/merge` to a merge of two commits, to test what merging would give',
  effect: 'read',
  readsRepository: true,
  deadlineMs: MERGE_DEADLINE_MS,
  request: z.strictObject({ projectId, iid: z.int(), sourceSha: sha, targetSha: sha }),
  answer: z.union([noProject, noCommit, conflicting, z.strictObject({ sha })]),
});

export const containedHeads = defineOperation({
  id: 'merge-heads-contained',
  service: 'repo',
  summary: 'Which of some commits a commit contains; the asking service checks rights',
  effect: 'read',
  readsRepository: true,
  request: z.strictObject({ projectId, tip: sha, heads: z.array(sha).max(MERGE_BOUNDS.heads) }),
  /** In the order of the request. */
  answer: z.strictObject({ contained: z.array(sha) }),
});

export const containingVersions = defineOperation({
  id: 'merge-versions-containing',
  service: 'repo',
  summary: 'Which versions of merge requests have a commit among their own',
  effect: 'read',
  readsRepository: true,
  deadlineMs: MERGE_DEADLINE_MS,
  request: z.strictObject({
    projectId,
    sha,
    /** The history of `startSha`, the target's tip, is no part of a version. */
    versions: z.array(z.strictObject({ startSha: sha, headSha: sha })).max(MERGE_BOUNDS.versions),
  }),
  /** In the order of the request. */
  answer: z.union([noProject, z.strictObject({ contain: z.array(z.boolean()) })]),
});

export const mergeOperations = [
  prepareSource,
  describeMerge,
  describeMerges,
  listMergeCommits,
  readMergeDiff,
  mergeIntoBranch,
  rebaseBranch,
  deleteMergedBranch,
  writeMergeRef,
  containedHeads,
  containingVersions,
];
