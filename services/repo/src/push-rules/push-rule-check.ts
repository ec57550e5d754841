import { setImmediate } from 'node:timers/promises';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { GitTimeoutError } from '@forgelog/git/errors.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import type { RefUpdate } from '@forgelog/git/refs/ref-transaction.ts';
import type { RepositoryReads } from '@forgelog/git/repository-reads.ts';
import type { MovingCheck, Repositories } from '../repository-storage/repositories.ts';
import { type CommitContext, commitProblem, matches, readable } from './commit.rules.ts';
import type { PushRules } from './push-rule.decider.ts';
import { pushRules } from './push-rules.projection.ts';
import { isNamedLikeSecret } from './secret-names.ts';

type Reads = Pick<
  RepositoryReads,
  'newCommits' | 'broughtFiles' | 'commit' | 'signed' | 'objects' | 'entry' | 'changedPaths' | 'mergeBase'
>;

export interface PushRuleCheck {
  /**
   * Returns why moves are refused, as text for people; null if they are not. All new objects must be readable.
   * @param by `reads` are of a push those in its quarantine; `isMerge` is a merge request's
   */
  problem(
    projectId: number,
    updates: readonly RefUpdate[],
    by: { reads: Reads; via: 'push' | 'api'; actorId: number | null; isMerge: boolean },
  ): Promise<string | null>;
}

/** The most new commits that one push may bring where there are rules for them. */
const MAX_COMMITS = 10_000;
/** Commits and files between two turns of the event loop. */
const TURN = 100;
const MIB = 1024 * 1024;

const BRANCHES = 'refs/heads/';

export function pushRuleCheck({
  readStore,
  directory,
}: {
  readStore: Pick<ReadStore, 'get'>;
  directory: Pick<Directory, 'emailsOf' | 'userByEmail' | 'project'>;
}): PushRuleCheck {
  return {
    async problem(projectId, updates, { reads, via, actorId }) {
      const rules = await readStore.get(pushRules, projectId);
      if (!rules) return null;
      const defaultBranch = (await directory.project(projectId))?.defaultBranch ?? null;
      const ofNames = nameProblem(rules, updates, { via, defaultBranch });
      if (ofNames !== undefined) return ofNames;
      const tips = updates
        .filter(({ ref, newOid }) => ref.startsWith(BRANCHES) && newOid !== ZERO_OID)
        .map(({ newOid }) => newOid);
      if (tips.length === 0 || !(asksForCommits(rules) || asksForFiles(rules))) return null;
      const known = new Map<string, Promise<boolean>>();
      const isUser = (email: string) => {
        const asked = known.get(email) ?? directory.userByEmail(email).then((user) => user !== undefined);
        known.set(email, asked);
        return asked;
      };
      const emails = actorId === null ? [] : await directory.emailsOf(actorId);
      const pusherEmails = emails.map((email) => email.toLowerCase());
      const isSigned = async (commit: string) => (await reads.signed(commit, 'commit')) !== undefined;
      try {
        const context = { via, pusherEmails, isUser, isSigned };
        return (await contentProblem(rules, tips, reads, context)) ?? null;
      } catch (error) {
        if (!(error instanceof GitTimeoutError)) throw error;
        return 'The push rules of the project could not be checked in time. Push fewer commits at once.';
      }
    },
  };
}

/** All checks as one: the first problem counts. */
export const firstProblem = (...checks: readonly PushRuleCheck[]): PushRuleCheck => ({
  async problem(...asked) {
    for (const check of checks) {
      const problem = await check.problem(...asked);
      if (problem !== null) return problem;
    }
    return null;
  },
});

/** Refuses moves by the API. @throws 400 */
export function refusingPushRules(check: PushRuleCheck, repositories: Pick<Repositories, 'of'>): MovingCheck {
  return async (projectId, updates, { actorId }, isMerge) => {
    const reads = repositories.of(projectId);
    const message = await check.problem(projectId, updates, { reads, via: 'api', actorId, isMerge });
    if (message !== null) throw new Rejection('refused', { message });
  };
}

function nameProblem(
  { denyDeleteTag, branchNameRegex }: PushRules,
  updates: readonly RefUpdate[],
  { via, defaultBranch }: { via: 'push' | 'api'; defaultBranch: string | null },
): string | undefined {
  for (const { ref, newOid } of updates) {
    const isDeletion = newOid === ZERO_OID;
    if (isDeletion && denyDeleteTag && via === 'push' && ref.startsWith('refs/tags/'))
      return 'You cannot delete a tag';
    if (isDeletion || branchNameRegex === null || !ref.startsWith(BRANCHES)) continue;
    const name = ref.slice(BRANCHES.length);
    // The first branch of a repository becomes the default one.
    if (name !== (defaultBranch ?? name) && !matches(branchNameRegex, name))
      return `Branch name does not follow the pattern '${readable(branchNameRegex)}'`;
  }
  return undefined;
}

const asksForCommits = (rules: PushRules): boolean =>
  rules.commitMessageRegex !== null ||
  rules.commitMessageNegativeRegex !== null ||
  rules.authorEmailRegex !== null ||
  rules.memberCheck ||
  rules.commitCommitterCheck ||
  rules.rejectUnsignedCommits;

const asksForFiles = ({ fileNameRegex, preventSecrets, maxFileSize }: PushRules): boolean =>
  fileNameRegex !== null || preventSecrets || maxFileSize > 0;

async function contentProblem(
  rules: PushRules,
  tips: readonly string[],
  reads: Reads,
  context: CommitContext,
): Promise<string | undefined> {
  const commits = await reads.newCommits(tips, MAX_COMMITS + 1);
  if (commits.length > MAX_COMMITS)
    return `The push rules of the project can check ${MAX_COMMITS} new commits at most. Push them in parts.`;
  if (asksForCommits(rules))
    for (const [at, id] of commits.entries()) {
      if (at % TURN === TURN - 1) await setImmediate();
      const commit = await reads.commit(id);
      const problem = commit && (await commitProblem(rules, commit, context));
      if (problem !== undefined) return problem;
    }
  return asksForFiles(rules) && commits.length > 0 ? fileProblem(rules, commits, reads) : undefined;
}

async function fileProblem(
  { fileNameRegex, preventSecrets, maxFileSize }: PushRules,
  commits: readonly string[],
  reads: Reads,
): Promise<string | undefined> {
  const measured = new Set<string>();
  for (const [at, { path, blob, isAdded }] of (await reads.broughtFiles(commits)).entries()) {
    if (at % TURN === TURN - 1) await setImmediate();
    if (isAdded && fileNameRegex !== null && matches(fileNameRegex, path))
      return `File name ${readable(path)} was prohibited by the pattern "${readable(fileNameRegex)}".`;
    if (isAdded && preventSecrets && isNamedLikeSecret(path))
      return `File name ${readable(path)} was prohibited: it is named like a file with secrets.`;
    if (maxFileSize === 0 || blob === null || measured.has(blob)) continue;
    measured.add(blob);
    const size = (await reads.objects.info(blob))?.size ?? 0;
    if (size > maxFileSize * MIB)
      return `File "${readable(path)}" is larger than the allowed size of ${maxFileSize} MiB.`;
  }
  return undefined;
}
