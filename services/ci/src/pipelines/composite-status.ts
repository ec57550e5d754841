import { CI_STATUSES, type CiStatus } from '@forgelog/contracts/ci/pipelines/pipeline-statuses.ts';

/** What a job counts as for those that wait for it. A job that may fail neither fails nor blocks anything. */
type Part = CiStatus | 'success_with_warnings' | 'ignored';

const PARTS: readonly Part[] = [...CI_STATUSES, 'success_with_warnings', 'ignored'];

/** A set of statuses, a bit each, so that the statuses of a thousand jobs are summed up by one number. */
export type StatusSet = number;

export const NO_STATUS: StatusSet = 0;

const setOf = (...parts: Part[]): StatusSet =>
  parts.reduce((set, part) => set | (1 << PARTS.indexOf(part)), NO_STATUS);

const BITS = Object.fromEntries(PARTS.map((part) => [part, setOf(part)])) as Record<Part, StatusSet>;

export function statusBit({ status, allowFailure }: { status: CiStatus; allowFailure: boolean }): StatusSet {
  if (!allowFailure) return BITS[status];
  if (status === 'failed' || status === 'canceled') return BITS.success_with_warnings;
  return status === 'manual' ? BITS.ignored : BITS[status];
}

const NOT_RUN = setOf('skipped', 'ignored');
const PASSED = setOf('success', 'skipped', 'success_with_warnings', 'ignored');
const PENDING = setOf('pending', 'created', 'skipped', 'success_with_warnings', 'ignored');
const NEEDS_ENDED = setOf('success', 'failed', 'canceled', 'skipped', 'success_with_warnings');
const beside = (status: CiStatus) => setOf(status, 'success_with_warnings', 'ignored');
const [CREATED, PREPARING] = [beside('created'), beside('preparing')];
const CANCELED = PASSED | BITS.canceled;

/** The status of many jobs, from the strongest statement to the weakest; null for none. The order is upstream's. */
export function compositeStatus(set: StatusSet): CiStatus | null {
  const only = (parts: StatusSet) => (set & ~parts) === 0;
  const any = (parts: StatusSet) => (set & parts) !== 0;
  if (set === NO_STATUS) return null;
  if (only(NOT_RUN)) return 'skipped';
  if (only(PASSED)) return 'success';
  if (only(CREATED)) return 'created';
  if (only(PREPARING)) return 'preparing';
  if (only(CANCELED)) return 'canceled';
  if (only(PENDING)) return 'pending';
  if (any(BITS.running | BITS.pending)) return 'running';
  for (const status of ['waiting_for_resource', 'manual', 'scheduled', 'preparing'] as const)
    if (any(BITS[status])) return status;
  return any(BITS.created) ? 'running' : 'failed';
}

/** The same for the needs of a job: one that does not run ends the wait, and all others are waited for. */
export function needsStatus(set: StatusSet): CiStatus | null {
  if ((set & NOT_RUN) !== 0) return 'skipped';
  if (set !== NO_STATUS && (set & ~NEEDS_ENDED) !== 0) return 'pending';
  return compositeStatus(set);
}
