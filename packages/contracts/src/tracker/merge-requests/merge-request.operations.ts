import { z } from 'zod';
import { defineOperation } from '../../operation.ts';

/** Open merge requests of one branch that an answer lists, and heads of one merge request: the newest. */
export const MERGE_REQUEST_BOUNDS = { ofBranch: 20, heads: 100 } as const;

const sha = z.string();

const facts = z.strictObject({
  id: z.int(),
  /** The target project's. */
  projectId: z.int(),
  iid: z.int(),
  title: z.string(),
  sourceProjectId: z.int(),
  /** Names without `refs/heads/`. */
  sourceBranch: z.string(),
  targetBranch: z.string(),
  /** The newest head, and the target's tip at that time. */
  sha,
  startSha: sha,
  labels: z.array(z.string()),
  assigneeIds: z.array(z.int()),
  isApproved: z.boolean(),
});

export type MergeRequestFacts = z.output<typeof facts>;

export const findMergeRequest = defineOperation({
  id: 'merge-request-find',
  service: 'tracker',
  summary: 'A merge request that the caller may read, for its pipelines',
  effect: 'read',
  request: z.strictObject({ projectId: z.int(), iid: z.int() }),
  answer: z.union([
    /** The same for a project that does not exist and for one whose merge requests the caller may not read. */
    z.strictObject({ refused: z.literal('no merge request') }),
    z.strictObject({
      mergeRequest: facts,
      isOpen: z.boolean(),
      /** Heads of its versions, newest first. */
      heads: z.array(sha).max(MERGE_REQUEST_BOUNDS.heads),
    }),
  ]),
});

export const listMergeRequestsOfBranch = defineOperation({
  id: 'branch-merge-requests-list',
  service: 'tracker',
  summary: 'Open merge requests of a branch, the oldest first; the asking service checks rights',
  effect: 'read',
  request: z.strictObject({ sourceProjectId: z.int(), sourceBranch: z.string() }),
  answer: z.strictObject({ mergeRequests: z.array(facts).max(MERGE_REQUEST_BOUNDS.ofBranch) }),
});

export const mergeRequestOperations = [findMergeRequest, listMergeRequestsOfBranch];
