import type { REPORTED_STATES } from '@forgelog/contracts/ci/commit-statuses/commit-status.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { endJob, isFinished, replace } from './job-transitions.ts';
import type { PipelineDraft } from './pipeline-draft.ts';
import type { Job, JobFacts } from './pipeline-state.ts';

/** What another system says about a commit. A name that is open is brought on; one that has ended begins anew. */
export interface StatusReport {
  /** Id of the job, if one is made. */
  newJobId: number;
  userId: number;
  name: string;
  state: (typeof REPORTED_STATES)[number];
  /** Undefined leaves what is there. */
  targetUrl?: string | null | undefined;
  description?: string | null | undefined;
  coverage?: number | undefined;
}

/** Each report may make a job more, and a pipeline is read whole. */
const MOST_JOBS = 5000;

/** @throws Rejection for a status that does not follow from the present one */
export function reportStatus(draft: PipelineDraft, report: StatusReport): void {
  const { newJobId, userId, name, state, targetUrl, description, coverage } = report;
  const before = draft.newest().find(({ facts }) => facts.kind === 'external' && facts.name === name);
  const open = before && !isFinished(before) ? before : undefined;
  if (open) requireTransition(open, state);
  else if (draft.pipeline.jobs.length >= MOST_JOBS)
    throw new Rejection('validation_failed', { fields: { base: ['The pipeline has too many statuses'] } });
  else
    draft.settle({
      add: [
        before
          ? replace(draft, before, newJobId, { automatic: false, userId, waits: false })
          : { jobId: newJobId, facts: externalFacts(name), userId, retryOf: null, status: 'pending' },
      ],
    });
  const id = open?.id ?? newJobId;
  draft.change('JobDescribed', draft.job(id), { targetUrl, description, coverage });
  moveTo(draft, draft.job(id), state);
  draft.settle();
}

function moveTo(draft: PipelineDraft, job: Job, state: StatusReport['state']): void {
  const { now } = draft;
  const ended = { failureReason: null, exitCode: null, coverage: job.coverage, newJobId: null };
  switch (state) {
    case 'pending':
      break;
    case 'running':
      draft.change('JobStarted', job, { status: 'running', startedAt: now });
      break;
    case 'success':
      endJob(draft, job, { ...ended, outcome: 'success' });
      break;
    case 'failed':
      endJob(draft, job, { ...ended, outcome: 'failed', failureReason: 'api_failure' });
      break;
    case 'canceled':
      draft.change('JobCanceled', job, { status: 'canceled', finishedAt: now });
      break;
    default:
      state satisfies never;
  }
}

const ACTS: Partial<Record<StatusReport['state'], string>> = { pending: 'enqueue', running: 'run' };

/** The words are those that clients know. */
function requireTransition({ status }: Job, state: StatusReport['state']): void {
  const act = ACTS[state];
  if (act === undefined || (state === 'running' && status === 'pending')) return;
  throw new Rejection('refused', {
    message: `Cannot transition status via :${act} from :${status} (Reason(s): Status cannot transition via "${act}")`,
  });
}

/** After all stages of a configuration. */
const EXTERNAL_STAGE = 1_000_000;

const externalFacts = (name: string): JobFacts => ({
  ...{ name, stage: 'external', stageIndex: EXTERNAL_STAGE, kind: 'external', when: 'always' },
  ...{ startIn: null, allowFailure: false, allowFailureExitCodes: null, needs: null, tags: [] },
  ...{ environment: null, resourceGroup: null, interruptible: false, timeoutSeconds: 0 },
  retry: { max: 0, when: [] },
});
