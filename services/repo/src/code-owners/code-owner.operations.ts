import {
  CODE_OWNER_BOUNDS,
  findCodeOwners,
} from '@forgelog/contracts/repo/code-owners/code-owner.operations.ts';
import { GitTimeoutError } from '@forgelog/git/errors.ts';
import type { RepositoryReads } from '@forgelog/git/repository-reads.ts';
import { implementOperation, type OperationImplementation } from '@forgelog/service-kit/operations.ts';
import { type CommitPair, ofCommits } from '../merges/merge-facts.query.ts';
import type { RepoPorts } from '../ports.ts';
import { readableRepositories } from '../shared/readable-repository.ts';
import { changedOwners } from './code-owners.query.ts';

/** What merge requests need to know of code owners. */
export function codeOwnerOperations(ports: RepoPorts): OperationImplementation[] {
  const readable = readableRepositories(ports);
  return [
    implementOperation(findCodeOwners, ({ request, principal }) =>
      readable.answer(request.projectId, principal, async ({ repository }) => {
        const found = [];
        for (const pair of request.pairs) found.push(await ownersOf(repository, pair));
        return { found };
      }),
    ),
  ];
}

async function ownersOf(reads: RepositoryReads, pair: CommitPair) {
  const { sourceSha, targetSha } = pair;
  try {
    const found = await ofCommits(reads, pair, async () => {
      const from = () => reads.mergeBase([targetSha, sourceSha]);
      return { owners: await changedOwners(reads, targetSha, { from, to: sourceSha }) };
    });
    if ('refused' in found || found.owners.length > CODE_OWNER_BOUNDS.lines) return null;
    return found.owners.map(({ section, line }) => ({
      section: section.name,
      isOptional: section.isOptional,
      approvals: section.approvals,
      pattern: line.pattern,
      owners: [...line.owners],
    }));
  } catch (error) {
    if (error instanceof GitTimeoutError) return null;
    throw error;
  }
}
