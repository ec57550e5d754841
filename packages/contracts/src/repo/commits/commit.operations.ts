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

export type CommitFacts = z.output<typeof commitFacts>;

export const commitOperations = [describeCommits];
