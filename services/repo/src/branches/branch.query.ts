import { Rejection } from '@forgelog/contracts/errors.ts';
import { isValidRefName } from '@forgelog/git/refs/ref-name.ts';
import type { RepositoryReads } from '@forgelog/git/repository-reads.ts';
import type { Branch } from './branch.view.ts';

const PREFIX = 'refs/heads/';

/** @throws 400 if the name is not valid for a branch, 404 if there is none */
export async function needBranch(
  repository: Pick<RepositoryReads, 'readRef'>,
  name: string,
): Promise<Branch> {
  if (!isValidRefName(PREFIX + name))
    throw new Rejection('refused', { message: 'The branch refname is invalid' });
  const oid = await repository.readRef(PREFIX + name);
  if (oid === undefined) throw new Rejection('not_found', { what: 'Branch' });
  return { name, oid };
}
