import { actingUser } from '@forgelog/directory/acting-user.ts';
import { createAuthorizer } from '@forgelog/directory/authorizer.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';

/** An open merge request of a fork that lets those push to its source branch who may merge it. */
export interface ForkCollaboration {
  sourceBranch: string;
  /** The caller's rights in the project that it merges into. */
  target: ProjectGrant;
  targetBranch: string;
}

export type ForkCollaborationsOf = (grant: ProjectGrant) => Promise<ForkCollaboration[]>;

/** Merge requests out of a project that its caller sees from the other side. */
export function forkCollaborations(directory: Directory): ForkCollaborationsOf {
  const authorizer = createAuthorizer(directory);
  return async ({ project, userId }) => {
    const requests = await directory.collaborations(project.id);
    if (requests.length === 0 || userId === null) return [];
    const caller = await actingUser(directory, userId);
    if (!caller) return [];
    const found: ForkCollaboration[] = [];
    for (const { projectId, sourceBranch, targetBranch } of requests) {
      const target = await authorizer.project(String(projectId), caller);
      if (target?.can('merge_requests')) found.push({ sourceBranch, target, targetBranch });
    }
    return found;
  };
}
