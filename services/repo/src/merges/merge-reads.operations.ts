import {
  containingVersions,
  describeMerge,
  describeMerges,
  listMergeCommits,
  MERGE_BOUNDS,
  prepareSource,
  readMergeDiff,
} from '@forgelog/contracts/repo/merges/merge.operations.ts';
import { GitTimeoutError } from '@forgelog/git/errors.ts';
import type { DiffLimits } from '@forgelog/git/history/diff.ts';
import type { RepositoryReads } from '@forgelog/git/repository-reads.ts';
import { implementOperation, type OperationImplementation } from '@forgelog/service-kit/operations.ts';
import { commitFactsOf } from '../commits/commit.operations.ts';
import type { RepoPorts } from '../ports.ts';
import { bringCommits } from '../shared/bring-commits.ts';
import { readableRepositories } from '../shared/readable-repository.ts';
import { branchTip } from './branch-tip.query.ts';
import { type CommitPair, countChanges, mergeability, ofCommits } from './merge-facts.query.ts';

/** Merges computed at once for one list: each takes a core. */
const AT_ONCE = 4;

/** For a caller that asked for raw diffs, of which memory is the bound. */
const UNLIMITED: DiffLimits = {
  maxFiles: 20_000,
  maxPatchBytes: 16 * 1024 * 1024,
  maxBytes: 16 * 1024 * 1024,
};

/** Reads that merge requests need of a repository. */
export function mergeReadOperations(ports: RepoPorts): OperationImplementation[] {
  const { refAccess } = ports;
  const readable = readableRepositories(ports);

  return [
    implementOperation(prepareSource, ({ request, principal, signal }) =>
      readable.answer(request.projectId, principal, async ({ grant }) => {
        const { projectId, sourceProjectId } = request;
        const source = await readable.find(sourceProjectId, principal);
        if (!source) return { refused: 'no source' as const };
        const [from, to] = [source.grant.project, grant.project];
        if (from.storage !== to.storage) return { refused: 'other storage' as const };
        const sourceSha = await branchTip(ports, sourceProjectId, request.sourceBranch);
        if (sourceSha) await bringCommits(ports, { source: from, target: to, oids: [sourceSha], signal });
        const access = await refAccess(source.grant);
        return {
          sourceSha: sourceSha ?? null,
          targetSha: (await branchTip(ports, projectId, request.targetBranch)) ?? null,
          mayPushSource: access.mayMove(`refs/heads/${request.sourceBranch}`, 'update'),
          defaultBranch: to.defaultBranch,
        };
      }),
    ),

    implementOperation(describeMerge, ({ request, principal }) =>
      readable.answer(request.projectId, principal, ({ grant, repository }) =>
        ofCommits(repository, request, async () => {
          const { sourceSha, targetSha } = request;
          const merge = await mergeability(repository, request);
          const range = { include: [targetSha], exclude: [sourceSha] };
          const changes = request.changes
            ? await countChanges(repository, { from: merge.baseSha, to: sourceSha, most: MERGE_BOUNDS.files })
            : { count: null, isLowerBound: false };
          const access = await refAccess(grant);
          return {
            ...merge,
            divergedCommits: request.divergedCommits ? (await repository.countCommits({ range }))! : null,
            changesCount: changes.count,
            changesCountIsLowerBound: changes.isLowerBound,
            mayMerge: access.mayMove(`refs/heads/${request.targetBranch}`, 'merge'),
          };
        }),
      ),
    ),

    implementOperation(describeMerges, ({ request, principal }) =>
      readable.answer(request.projectId, principal, async ({ repository }) => {
        const merges = [];
        for (let from = 0; from < request.pairs.length; from += AT_ONCE) {
          const some = request.pairs.slice(from, from + AT_ONCE);
          merges.push(...(await Promise.all(some.map((pair) => shortMergeability(repository, pair)))));
        }
        return { merges };
      }),
    ),

    implementOperation(listMergeCommits, ({ request, principal }) =>
      readable.answer(request.projectId, principal, ({ repository }) => {
        const { startSha, headSha, offset, limit } = request;
        return ofCommits(repository, { sourceSha: headSha, targetSha: startSha }, async () => {
          const range = { include: [headSha], exclude: [startSha] };
          const { commits, hasMore } = (await repository.commits({ range, offset, limit }))!;
          return { commits: commits.map(commitFactsOf), hasMore };
        });
      }),
    ),

    implementOperation(containingVersions, ({ request, principal }) =>
      readable.answer(request.projectId, principal, async ({ repository }) => {
        const { sha, versions } = request;
        const known = await repository.objects.info(sha);
        if (!known) return { contain: versions.map(() => false) };
        const ends = versions.flatMap(({ startSha, headSha }) => [startSha, headSha]);
        const found = await repository.containing(sha, ends);
        return {
          contain: versions.map(({ startSha, headSha }) => found.has(headSha) && !found.has(startSha)),
        };
      }),
    ),

    implementOperation(readMergeDiff, ({ request, principal, signal }) =>
      readable.answer(request.projectId, principal, ({ repository }) => {
        const { startSha, headSha, unlimited } = request;
        return ofCommits(repository, { sourceSha: headSha, targetSha: startSha }, async () => {
          const base = await repository.mergeBase([startSha, headSha]);
          const limits = unlimited ? UNLIMITED : { maxFiles: MERGE_BOUNDS.files };
          const diff = await repository.diff(base, headSha, { ...limits, signal });
          const most = limits.maxFiles ?? MERGE_BOUNDS.files;
          const counted = await countChanges(repository, { from: base ?? null, to: headSha, most });
          return {
            baseSha: base ?? null,
            files: diff.entries,
            overflow: diff.overflow || diff.timedOut,
            filesCount: counted.count,
            filesCountIsLowerBound: counted.isLowerBound,
          };
        });
      }),
    ),
  ];
}

async function shortMergeability(reads: RepositoryReads, pair: CommitPair) {
  try {
    const found = await ofCommits(reads, pair, () => mergeability(reads, pair));
    if ('refused' in found) return null;
    return { conflicts: found.conflicts.length > 0, canFastForward: found.canFastForward };
  } catch (error) {
    if (error instanceof GitTimeoutError) return null;
    throw error;
  }
}
