import { z } from 'zod';
import { defineOperation } from '../../operation.ts';

const person = z.strictObject({
  name: z.string(),
  email: z.string(),
  /** ISO 8601 in UTC. */
  date: z.string(),
});

/** A commit, for records that show it. */
export const commitFacts = z.strictObject({
  id: z.string(),
  parentIds: z.array(z.string()),
  title: z.string(),
  message: z.string(),
  author: person,
  committer: person,
});

/** As many as a page of a list has records. */
export const MAX_DESCRIBED_COMMITS = 100;

export const describeCommits = defineOperation({
  id: 'commits-describe',
  service: 'repo',
  summary: 'Commits by their ids, for records that show them; the asking service checks rights',
  effect: 'read',
  readsRepository: true,
  request: z.strictObject({
    projectId: z.int(),
    shas: z.array(z.string().regex(/^[0-9a-f]{40}$/)).max(MAX_DESCRIBED_COMMITS),
  }),
  /** In the order of the request; null for one that the repository lacks, or that is too large. */
  answer: z.strictObject({ commits: z.array(commitFacts.nullable()) }),
});

export const findCommit = defineOperation({
  id: 'commit-find',
  service: 'repo',
  summary: 'The commit that a name means, and a branch that holds it; the asking service checks rights',
  effect: 'read',
  readsRepository: true,
  request: z.strictObject({
    projectId: z.int(),
    /** A commit, an abbreviation of it, a branch or a tag. */
    name: z.string(),
    withBranch: z.boolean(),
  }),
  /** `branch` is the default branch if that holds it; null for none, and where it was not asked for. */
  answer: z.strictObject({ sha: z.string().nullable(), branch: z.string().nullable() }),
});

/** The most commits, and paths of a commit, that are told of a push. */
export const PUSH_TOLD = { commits: 20, paths: 1_000 } as const;

const paths = z.array(z.string()).max(PUSH_TOLD.paths);

export const describePush = defineOperation({
  id: 'push-describe',
  service: 'repo',
  summary:
    'What a ref brought when it moved: its newest commits with their paths; the asking service checks rights',
  effect: 'read',
  readsRepository: true,
  request: z.strictObject({
    projectId: z.int(),
    /** Full name. */
    ref: z.string(),
    /** 40 zeros for a ref that began or ended. */
    oldOid: z.string().regex(/^[0-9a-f]{40}$/),
    newOid: z.string().regex(/^[0-9a-f]{40}$/),
    limit: z.int().min(0).max(PUSH_TOLD.commits),
  }),
  answer: z.strictObject({
    /** The commit that the ref leads to; null where it ended, or leads to none that is still there. */
    checkoutSha: z.string().nullable(),
    /** Message of an annotated tag; null for anything else. */
    message: z.string().nullable(),
    /** The newest first, as a ref's history has them. */
    commits: z.array(z.strictObject({ commit: commitFacts, added: paths, modified: paths, removed: paths })),
  }),
});

/** The most files, and bytes of their diffs, that are told of a push in full. */
export const PUSH_DIFF = { files: 100, bytes: 256 * 1024 } as const;

export const readPushDiff = defineOperation({
  id: 'push-diff-read',
  service: 'repo',
  summary: 'What a push changed in files, for mails about it; the asking service checks rights',
  effect: 'read',
  readsRepository: true,
  request: z.strictObject({
    projectId: z.int(),
    oldOid: z.string().regex(/^[0-9a-f]{40}$/),
    newOid: z.string().regex(/^[0-9a-f]{40}$/),
  }),
  answer: z.strictObject({
    files: z
      .array(
        z.strictObject({
          oldPath: z.string(),
          newPath: z.string(),
          newFile: z.boolean(),
          deletedFile: z.boolean(),
          /** The hunks; empty if there are none or a limit was reached. */
          diff: z.string(),
        }),
      )
      .max(PUSH_DIFF.files),
    /** Whether a limit left out a file or a diff. */
    overflow: z.boolean(),
  }),
});

export type PushDiff = z.output<(typeof readPushDiff)['answer']>;

export type CommitFacts = z.output<typeof commitFacts>;

export const commitOperations = [describeCommits, findCommit, describePush, readPushDiff];
