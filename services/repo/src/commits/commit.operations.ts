import {
  type CommitFacts,
  describeCommits,
  describePush,
  findCommit,
  PUSH_DIFF,
  PUSH_TOLD,
  readPushDiff,
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

    implementOperation(describePush, async ({ request: { projectId, ref, oldOid, newOid, limit } }) => {
      const repository = repositories.of(projectId);
      try {
        const checkoutSha = ABSENT.test(newOid) ? null : ((await repository.peelToCommit(newOid)) ?? null);
        // The event is in the log before git has moved the ref, so the object is asked.
        const annotation =
          ref.startsWith(TAGS) && checkoutSha ? await repository.annotation(newOid) : undefined;
        const message = annotation?.message ?? null;
        if (checkoutSha === null || limit === 0 || ref.startsWith(TAGS))
          return { checkoutSha, message, commits: [] };
        const range = { include: [checkoutSha], exclude: ABSENT.test(oldOid) ? [] : [oldOid] };
        const page = await repository.commits({ range, limit });
        return { checkoutSha, message, commits: await Promise.all((page?.commits ?? []).map(withPaths)) };
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal?.code === 'unavailable') throw refusal;
        // What was pushed then may have been cleared away since.
        return { checkoutSha: null, message: null, commits: [] };
      }

      async function withPaths(commit: Commit) {
        const changed = await repository.changedPaths(commit.parentIds[0], commit.id);
        const paths = { added: [] as string[], modified: [] as string[], removed: [] as string[] };
        for (const { newPath, status } of changed) {
          const list = status === 'A' ? paths.added : status === 'D' ? paths.removed : paths.modified;
          if (list.length < PUSH_TOLD.paths) list.push(newPath);
        }
        return { commit: commitFactsOf(commit), ...paths };
      }
    }),

    implementOperation(readPushDiff, async ({ request: { projectId, oldOid, newOid }, signal }) => {
      const limits = { maxFiles: PUSH_DIFF.files, maxBytes: PUSH_DIFF.bytes, signal };
      try {
        const { entries, overflow, timedOut } = await repositories
          .of(projectId)
          .diff(oldOid, newOid, { ...limits, maxPatchBytes: PUSH_DIFF.bytes / 4 });
        const files = entries.map(({ oldPath, newPath, newFile, deletedFile, diff }) => ({
          ...{ oldPath, newPath, newFile, deletedFile, diff },
        }));
        return { files, overflow: overflow || timedOut };
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal?.code === 'unavailable') throw refusal;
        // What was pushed then may have been cleared away since.
        return { files: [], overflow: true };
      }
    }),
  ];
}

const TAGS = 'refs/tags/';
const ABSENT = /^0+$/;

export const commitFactsOf = ({ id, parentIds, title, message, author, committer }: Commit): CommitFacts => ({
  ...{ id, parentIds: [...parentIds], title, message },
  author: personOf(author),
  committer: personOf(committer),
});

const personOf = ({ name, email, date }: Commit['author']) => ({ name, email, date: date.utc });
