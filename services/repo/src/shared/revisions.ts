import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Commit } from '@forgelog/git/objects/commit-object.ts';
import type { Revision } from '@forgelog/git/objects/revision.ts';
import type { RepositoryReads } from '@forgelog/git/repository-reads.ts';
import type { ProjectSummary } from '@forgelog/service-kit/access.ts';

/**
 * The commit that a caller's name stands for: a branch before a tag before a commit. An absent or empty name is
 * the default branch. undefined where it stands for nothing, as every name does in an empty repository.
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

/** Its object id. @throws 404 `<what> Not Found` */
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

/** The commit of an id that git has just named. */
export async function needCommit(repository: RepositoryReads, oid: string): Promise<Commit> {
  const commit = await repository.commit(oid);
  if (!commit) throw new Rejection('not_found', { what: 'Commit' });
  return commit;
}

/** An empty text in a required parameter: what was sent is there, and no value. */
export function refuseEmpty(params: Readonly<Record<string, unknown>>, ...names: string[]): void {
  const problems = names.filter((name) => params[name] === '').map((name) => `${name} is empty`);
  if (problems.length > 0) throw new Rejection('invalid_parameters', { problems });
}
