import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Commit } from '@forgelog/git/objects/commit-object.ts';
import type { Revision } from '@forgelog/git/objects/revision.ts';
import type { RepositoryReads } from '@forgelog/git/repository-reads.ts';
import type { ProjectSummary } from '@forgelog/service-kit/access.ts';

/**
 * Resolves a name to a commit: branch, then tag, then commit id. An empty or absent name means the default branch.
 * Returns undefined if nothing matches, as in an empty repository.
 */
export async function findRevision(
  repository: RepositoryReads,
  project: ProjectSummary,
  name: string | undefined,
): Promise<Revision | undefined> {
  if (name !== undefined && name !== '' && name !== 'HEAD') return repository.resolveRevision(name);
  return project.defaultBranch === null
    ? repository.resolveRevision('HEAD')
    : repository.resolveRevision(`refs/heads/${project.defaultBranch}`);
}

/** Returns the commit's id. @throws 404 `<what> Not Found` */
export async function needRevision(
  repository: RepositoryReads,
  project: ProjectSummary,
  name: string | undefined,
  what: string,
): Promise<string> {
  const revision = await findRevision(repository, project, name);
  if (!revision) throw new Rejection('not_found', { what });
  return revision.oid;
}

/** Reads a commit by an id that git has just reported. */
export async function needCommit(repository: RepositoryReads, oid: string): Promise<Commit> {
  const commit = await repository.commit(oid);
  if (!commit) throw new Rejection('not_found', { what: 'Commit' });
  return commit;
}

/** Refuses required parameters that are sent but empty. */
export function refuseEmpty(params: Readonly<Record<string, unknown>>, ...names: string[]): void {
  const problems = names.filter((name) => params[name] === '').map((name) => `${name} is empty`);
  if (problems.length > 0) throw new Rejection('invalid_parameters', { problems });
}
