import type { CiStatus } from '@forgelog/contracts/ci/pipelines/pipeline-statuses.ts';
import { compositeStatus, NO_STATUS, needsStatus, type StatusSet, statusBit } from './composite-status.ts';
import type { JobFacts } from './pipeline-state.ts';

/** A job as those that wait for it see it. */
export interface Waiting {
  facts: Pick<JobFacts, 'name' | 'kind' | 'stageIndex' | 'needs' | 'when' | 'resourceGroup'>;
  status: CiStatus;
  allowFailure: boolean;
}

const ENDED: readonly (CiStatus | null)[] = ['success', 'failed', 'canceled', 'skipped'];

/**
 * Brings created jobs on as far as the jobs before them allow, and returns the new status of each job by its place in
 * `jobs`. Given are the newest jobs of each name. One pass is enough but for needs within a stage that are written the
 * other way round.
 */
export function settledStatuses(jobs: readonly Waiting[]): CiStatus[] {
  // Each start and each end of a job asks, and most find nobody who waits.
  if (!jobs.some(({ status }) => status === 'created')) return jobs.map(({ status }) => status);
  const now = jobs.map(({ facts, status, allowFailure }) => ({ facts, status, allowFailure }));
  const inOrder = now.toSorted((a, b) => a.facts.stageIndex - b.facts.stageIndex);
  // A job of another system may have the name of one that is needed.
  const configured = now.filter(({ facts }) => facts.kind !== 'external');
  const byName = new Map(configured.map((job) => [job.facts.name, job]));
  for (let moved = true; moved; ) {
    moved = false;
    let earlier: StatusSet = NO_STATUS;
    let own: StatusSet = NO_STATUS;
    let stage = -1;
    for (const job of inOrder) {
      const { stageIndex, needs } = job.facts;
      if (stageIndex !== stage) {
        earlier |= own;
        own = NO_STATUS;
        stage = stageIndex;
      }
      if (job.status === 'created') {
        const before = needs === null ? compositeStatus(earlier) : needsStatus(statusesOf(needs, byName));
        if (before === null || ENDED.includes(before)) {
          job.status = statusAfter(job.facts, before ?? 'success');
          moved = true;
        }
      }
      own |= statusBit(job);
    }
  }
  return now.map(({ status }) => status);
}

/** A name without a job is an optional need that this pipeline lacks. */
function statusesOf(needs: NonNullable<JobFacts['needs']>, byName: ReadonlyMap<string, Waiting>): StatusSet {
  let set = NO_STATUS;
  for (const { job } of needs) {
    const needed = byName.get(job);
    if (needed) set |= statusBit(needed);
  }
  return set;
}

/** What becomes of a job whose predecessors ended like this. */
function statusAfter({ when, needs, resourceGroup }: Waiting['facts'], before: CiStatus): CiStatus {
  if (!runsAfter(when, needs !== null).includes(before)) return 'skipped';
  if (when === 'delayed') return 'scheduled';
  return when === 'manual' ? 'manual' : queuedStatus({ resourceGroup });
}

export const queuedStatus = ({ resourceGroup }: Pick<JobFacts, 'resourceGroup'>) =>
  resourceGroup === null ? 'pending' : 'waiting_for_resource';

function runsAfter(when: JobFacts['when'], hasNeeds: boolean): readonly CiStatus[] {
  switch (when) {
    case 'on_success':
    case 'manual':
    case 'delayed':
      return hasNeeds ? ['success'] : ['success', 'skipped'];
    case 'on_failure':
      return ['failed'];
    case 'always':
      return ['success', 'failed', 'skipped'];
    default:
      return when satisfies never;
  }
}
