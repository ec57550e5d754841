import {
  type CommitFacts,
  describeCommits,
  findCommit,
} from '@forgelog/contracts/repo/commits/commit.operations.ts';
import type { Commit } from '@forgelog/git/objects/commit-object.ts';
import { implementOperation, type OperationImplementation } from '@forgelog/service-kit/operations.ts';
import type { RepoPorts } from '../ports.ts';
import { refusalOf } from '../shared/git-refusals.ts';

export function commitOperations({
  repositories,
}: Pick<RepoPorts, 'repositories'>): OperationImplementation[] {
  return [
    implementOperation(describeCommits, async ({ request }) => {
      const repository = repositories.of(request.projectId);
      const commits = await Promise.all(
        request.shas.map((sha) =>
          repository.commit(sha).then(
            (commit) => (commit ? commitFactsOf(commit) : null),
            (error: unknown) => {
              if (refusalOf(error)?.code === 'unavailable') throw refusalOf(error);
              return null;
            },
          ),
        ),
      );
      return { commits };
    }),

    implementOperation(findCommit, async ({ request: { projectId, name, withBranch } }) => {
      const repository = repositories.of(projectId);
      try {
        const sha = (await repository.resolveRevision(name))?.oid ?? null;
        if (sha === null || !withBranch) return { sha, branch: null };
        const prefix = 'refs/heads/';
        const branches = (await repository.refsContaining(sha, prefix)).map((ref) =>
          ref.slice(prefix.length),
        );
        const main = await repository.defaultBranch();
        return { sha, branch: branches.find((branch) => branch === main) ?? branches[0] ?? null };
      } catch (error) {
        throw refusalOf(error) ?? error;
      }
    }),
  ];
}

export const commitFactsOf = ({ id, parentIds, title, message, author, committer }: Commit): CommitFacts => ({
  ...{ id, parentIds: [...parentIds], title, message },
  author: personOf(author),
  committer: personOf(committer),
});

const personOf = ({ name, email, date }: Commit['author']) => ({ name, email, date: date.utc });
