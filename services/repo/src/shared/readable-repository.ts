import { grantProject } from '@forgelog/directory/authorizer.ts';
import type { Repository } from '@forgelog/git/git.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { RepoPorts } from '../ports.ts';
import { refusalOf } from './git-refusals.ts';

export const NO_PROJECT = { refused: 'no project' } as const;

interface ReadableRepository {
  grant: ProjectGrant;
  repository: Repository;
}

/** Repositories that other services read for their callers. Whoever may not read one gets the answer for a missing project. */
export function readableRepositories({
  directory,
  repositories,
}: Pick<RepoPorts, 'directory' | 'repositories'>) {
  async function find(
    projectId: number,
    principal: Principal | null,
  ): Promise<ReadableRepository | undefined> {
    const project = await directory.project(projectId);
    const grant = project && (await grantProject(project, principal, directory));
    return grant?.can('repository') ? { grant, repository: repositories.of(projectId) } : undefined;
  }

  return {
    find,
    /** Answers from a repository. A deletion removes it at any moment. */
    async answer<T>(
      projectId: number,
      principal: Principal | null,
      work: (found: ReadableRepository) => Promise<T>,
    ): Promise<T | typeof NO_PROJECT> {
      try {
        const found = await find(projectId, principal);
        return found ? await work(found) : NO_PROJECT;
      } catch (error) {
        if (await repositories.isDeleted(projectId)) return NO_PROJECT;
        throw refusalOf(error) ?? error;
      }
    },
  };
}
