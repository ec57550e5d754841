import { describeMerges, prepareSource } from '@forgelog/contracts/repo/merges/merge.operations.ts';
import type { mergeRequestView } from '@forgelog/contracts/tracker/merge-requests/merge-request.views.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { createLru } from '@forgelog/eventing/lru.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { z } from 'zod';
import { type ApprovalState, approvalStatesFor } from '../approval-rules/approval-states.query.ts';
import { tipsOf } from './branch-tips.collection.ts';
import type { MergeRequest } from './merge-requests.collection.ts';
import { type MergeSettings, mergeSettingsOf } from './merge-settings.projection.ts';

type Shown = z.output<typeof mergeRequestView>;

/** Whether a merge request can be merged now: of the commits that the answer shows. */
export interface Mergeability {
  mergeStatus: Shown['merge_status'];
  detailedStatus: Shown['detailed_merge_status'];
  hasConflicts: boolean;
}

/** What git says of two commits, for ever. */
interface Merge {
  conflicts: boolean;
  canFastForward: boolean;
}

interface Pair {
  projectId: number;
  sourceSha: string;
  targetSha: string;
}

/** Some 200 bytes each. */
const REMEMBERED = 50_000;

const keyOf = ({ projectId, sourceSha, targetSha }: Pair) => `${projectId} ${sourceSha} ${targetSha}`;

/** Asks for what is not remembered, once for each project of a list. */
function createMergeability(ports: ServicePorts) {
  const { readStore, operations } = ports;
  const approvalsOf = approvalStatesFor(ports);
  const merges = createLru<string, Merge>(REMEMBERED);

  async function learn(
    projectId: number,
    pairs: readonly Pair[],
    principal: Principal | null,
  ): Promise<void> {
    const asked = pairs.map(({ sourceSha, targetSha }) => ({ sourceSha, targetSha }));
    const answer = await operations.call(describeMerges, { projectId, pairs: asked }, { principal });
    if ('refused' in answer) return;
    for (const [at, merge] of answer.merges.entries()) if (merge) merges.set(keyOf(pairs[at]!), merge);
  }

  /** The commits of a fork may be missing in the target project, until somebody asks for them. */
  async function fetchSource(row: MergeRequest, pair: Pair, principal: Principal | null): Promise<void> {
    const { projectId, sourceProjectId, sourceBranch, targetBranch } = row;
    const asked = { projectId, sourceProjectId, sourceBranch, targetBranch };
    const answer = await operations.call(prepareSource, asked, { principal });
    if (!('refused' in answer)) await learn(projectId, [pair], principal);
  }

  /** By the key of the row. Rows are those of one page. */
  return async (
    rows: readonly MergeRequest[],
    principal: Principal | null,
  ): Promise<ReadonlyMap<number, Mergeability>> => {
    const unmerged = rows.filter(({ state }) => state !== 'merged');
    const tips = await tipsOf(
      readStore,
      unmerged.flatMap(({ source, target }) => [source, target]),
    );
    const pairs = new Map<number, Pair>();
    for (const { place, projectId, source, target, sha: sourceSha } of unmerged) {
      const targetSha = tips.get(target);
      if (targetSha && tips.has(source)) pairs.set(place, { projectId, sourceSha, targetSha });
    }
    const unknown = [...pairs.values()].filter((pair) => !merges.has(keyOf(pair)));
    for (const [projectId, asked] of Map.groupBy(unknown, (pair) => pair.projectId))
      await learn(projectId, asked, principal);
    for (const row of unmerged) {
      const pair = pairs.get(row.place);
      if (pair && row.sourceProjectId !== row.projectId && !merges.has(keyOf(pair)))
        await fetchSource(row, pair, principal);
    }
    const projects = [...new Set(rows.map(({ projectId }) => projectId))];
    const settings = new Map(
      await Promise.all(projects.map(async (id) => [id, await mergeSettingsOf(readStore, id)] as const)),
    );
    const approvals = await approvalsOf(
      rows.filter(({ state }) => state === 'opened'),
      principal,
    );
    return new Map(
      rows.map((row) => {
        const pair = pairs.get(row.place);
        const merge = pair && merges.get(keyOf(pair));
        return [row.place, statusOf(row, merge, settings.get(row.projectId)!, approvals.get(row.place))];
      }),
    );
  };
}

export type MergeabilityOf = ReturnType<typeof createMergeability>;

const byPorts = new WeakMap<object, MergeabilityOf>();

/** One for all slices of a service, so that they remember the same. */
export function mergeabilityFor(ports: ServicePorts): MergeabilityOf {
  const known = byPorts.get(ports) ?? createMergeability(ports);
  byPorts.set(ports, known);
  return known;
}

/**
 * @param merge undefined where a branch is gone, or git cannot tell
 * @param approvals of one that is open
 */
function statusOf(
  row: MergeRequest,
  merge: Merge | undefined,
  settings: MergeSettings,
  approvals: ApprovalState | undefined,
): Mergeability {
  if (row.state === 'merged')
    return { mergeStatus: 'can_be_merged', detailedStatus: 'not_open', hasConflicts: false };
  const hasConflicts = merge?.conflicts ?? false;
  const mergeStatus = merge && !hasConflicts ? 'can_be_merged' : 'cannot_be_merged';
  return { mergeStatus, hasConflicts, detailedStatus: detailed() };

  function detailed(): Mergeability['detailedStatus'] {
    if (row.state !== 'opened') return 'not_open';
    if (row.draft) return 'draft_status';
    if (settings.waitsForDiscussions && row.openThreads > 0) return 'discussions_not_resolved';
    if (!merge) return 'broken_status';
    if (hasConflicts) return 'conflict';
    if (settings.method !== 'merge' && !merge.canFastForward) return 'need_rebase';
    return approvals && approvals.left > 0 ? 'not_approved' : 'mergeable';
  }
}
