import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { metadataOf, type Origin } from '@forgelog/service-kit/principal.ts';
import { type JobRow, jobs } from '../jobs/jobs.collection.ts';
import { jobTokens } from '../runners/job-token.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Tells an agent the state of its job: anything but running makes it stop. */
const JOB_STATUS = 'Job-Status';

const forbidden = (job?: JobRow) =>
  new Rejection('forbidden', {}, job === undefined ? {} : { [JOB_STATUS]: job.status });

/** Finds the running job whose token a runner presents. @throws Rejection 403: no other refusal makes an agent stop */
export function runningJobOf(ports: Pick<ServicePorts, 'configuration' | 'readStore'>) {
  const tokens = jobTokens(ports);
  return async (headers: Headers, inAddress: string | undefined): Promise<{ job: JobRow; token: string }> => {
    const inHeader = headers['job-token'];
    const token = typeof inHeader === 'string' ? inHeader : (inAddress ?? '');
    const jobId = tokens.jobOf(token);
    const job = jobId === undefined ? undefined : await ports.readStore.get(jobs, jobId);
    if (job?.status !== 'running') throw forbidden(job);
    return { job, token };
  };
}

/** The same for the job that the address names. */
export function namedRunningJob(ports: Pick<ServicePorts, 'configuration' | 'readStore'>) {
  const find = runningJobOf(ports);
  return async (headers: Headers, { id, token }: { id: number; token: string | undefined }) => {
    const found = await find(headers, token);
    if (found.job.id !== id) throw forbidden();
    return found;
  };
}

/** Metadata of what a runner does: nobody's act, by the token of its job. */
export const byJob = (origin: Origin, jobId: number): EventMetadata => ({
  ...metadataOf(null, origin),
  credential: { kind: 'job_token', id: jobId },
});
