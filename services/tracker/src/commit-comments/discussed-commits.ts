import { Rejection } from '@forgelog/contracts/errors.ts';
import { findCommit } from '@forgelog/contracts/repo/commits/commit.operations.ts';
import { commitDiscussions } from '@forgelog/contracts/tracker/commit-comments/commit-discussion.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import type { Discussed, DiscussedKind } from '../targets/target.ts';
import { noteableKey } from '../targets/target-ref.ts';

export type DiscussedCommit = Extract<Discussed, { type: 'Commit' }>;

/** Nobody: a commit belongs to its repository. */
const NOBODY = 0;

/** The commit that the path of a request names. @throws not_found */
export async function requireCommit(
  { operations }: Pick<ServicePorts, 'operations'>,
  { params, project: { project, level }, principal }: ApiRequest,
): Promise<DiscussedCommit> {
  const asked = { projectId: project.id, name: params.sha as string, withBranch: false };
  const { sha } = await operations.call(findCommit, asked, { principal });
  if (sha === null) throw new Rejection('not_found', { what: 'Commit' });
  const ref = { projectId: project.id, type: 'Commit', sha } as const;
  return {
    ...{ ...ref, key: noteableKey(ref), level, discussionLocked: false },
    ...{ confidential: false, authorId: NOBODY, assigneeIds: [] },
  };
}

/** Readers of the code read what is said of it. The threads are not resolved. */
export const discussedCommits: DiscussedKind<DiscussedCommit> = {
  find: requireCommit,
  discussions: commitDiscussions,
};
