import type { Directory } from '@forgelog/directory/directory.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { GitTimeoutError } from '@forgelog/git/errors.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import type { RefUpdate } from '@forgelog/git/refs/ref-transaction.ts';
import type { RepositoryReads } from '@forgelog/git/repository-reads.ts';
import type { Configuration } from '@forgelog/service-kit/configuration.ts';
import { refPattern } from '@forgelog/service-kit/ref-pattern.ts';
import {
  type ProtectedBranchRow,
  protectedBranches,
} from '../protected-branches/protected-branches.projection.ts';
import type { PushRuleCheck } from '../push-rules/push-rule-check.ts';
import { isAdmitted } from '../refs/admission.rules.ts';
import { MAX_PROTECTED_NAMES } from '../refs/protected-name.rules.ts';
import type { Repositories } from '../repository-storage/repositories.ts';
import { changedOwners } from './code-owners.query.ts';

type Reads = Pick<RepositoryReads, 'entry' | 'objects' | 'changedPaths' | 'mergeBase'>;

const BRANCHES = 'refs/heads/';
const DEVELOPER = 30;
const MOST_SHOWN = 10;

/**
 * Refuses pushes of what code owners own to branches that ask for their approval: that takes a merge request. Users and
 * groups whom a protected branch names for pushing are excepted, as upstream; those who push by their role are not.
 */
export function codeOwnerCheck({
  readStore,
  directory,
  repositories,
  configuration,
}: {
  readStore: Pick<ReadStore, 'find'>;
  directory: Pick<Directory, 'project' | 'groupLevel'>;
  repositories: Pick<Repositories, 'of'>;
  configuration: Pick<Configuration, 'EDITION'>;
}): PushRuleCheck {
  async function askingBranches(projectId: number): Promise<ProtectedBranchRow[]> {
    const where = and(eq('projectId', projectId), eq('codeOwnerApprovalRequired', true));
    const rows = await readStore.find(protectedBranches, { where, limit: MAX_PROTECTED_NAMES });
    return rows as ProtectedBranchRow[];
  }

  async function isNamed(userId: number | null, rows: readonly ProtectedBranchRow[]): Promise<boolean> {
    if (userId === null) return false;
    const named = rows.flatMap(({ pushAccess }) =>
      pushAccess.filter(({ accessLevel }) => accessLevel === null),
    );
    const groupIds = new Set<number>();
    for (const { groupId } of named)
      if (groupId !== null && (await directory.groupLevel(userId, groupId)) >= DEVELOPER)
        groupIds.add(groupId);
    return isAdmitted({ userId, groupIds, level: 0, isAdmin: false }, named);
  }

  async function patternsOf(projectId: number, { ref, oldOid, newOid }: RefUpdate, reads: Reads) {
    const ownersAt = async (at: string, from: () => Promise<string | undefined>) =>
      (await changedOwners(reads, at, { from, to: newOid })).map(({ line }) => line.pattern);
    if (oldOid !== ZERO_OID) return ownersAt(oldOid, async () => oldOid);
    // A new branch goes by the file of the default branch, and brings what that branch has not.
    const branch = (await directory.project(projectId))?.defaultBranch;
    const base =
      branch == null || ref === BRANCHES + branch
        ? undefined
        : await repositories.of(projectId).readRef(BRANCHES + branch);
    return base ? ownersAt(base, () => reads.mergeBase([base, newOid])) : [];
  }

  return {
    async problem(projectId, updates, { reads, actorId, isMerge }) {
      if (isMerge || configuration.EDITION === 'free') return null;
      const moved = updates.filter(({ ref, newOid }) => ref.startsWith(BRANCHES) && newOid !== ZERO_OID);
      const asking = moved.length === 0 ? [] : await askingBranches(projectId);
      if (asking.length === 0) return null;
      for (const update of moved) {
        const name = update.ref.slice(BRANCHES.length);
        const covering = asking.filter((row) => refPattern(row.name)(name));
        if (covering.length === 0 || (await isNamed(actorId, covering))) continue;
        try {
          const patterns = await patternsOf(projectId, update, reads);
          if (patterns.length > 0) return refusal(name, patterns);
        } catch (error) {
          if (!(error instanceof GitTimeoutError)) throw error;
          return 'The owners of the pushed files could not be found in time. Push fewer files at once.';
        }
      }
      return null;
    },
  };
}

const refusal = (branch: string, patterns: readonly string[]): string => {
  const shown = patterns.slice(0, MOST_SHOWN).map((pattern) => `- ${pattern}`);
  const more = patterns.length > shown.length ? [`and ${patterns.length - shown.length} more`] : [];
  return [
    `Files that match CODEOWNERS cannot be pushed to '${branch}'. Open a merge request for them.`,
    'These patterns match:',
    ...[...shown, ...more],
  ].join('\n');
};
