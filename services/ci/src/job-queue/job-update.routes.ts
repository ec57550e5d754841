import { FAILURE_REASONS, type FailureReason } from '@forgelog/contracts/ci/jobs/job.fields.ts';
import { updateJob } from '@forgelog/contracts/ci/runners/job-request.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { createLru } from '@forgelog/eventing/lru.ts';
import { value } from '@forgelog/service-kit/answer.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { isLog } from '../job-logs/checksum.ts';
import { coverageOfJob } from '../job-logs/coverage.ts';
import { type JobRow, jobs } from '../jobs/jobs.collection.ts';
import { growingLogKey } from '../objects/object-keys.ts';
import { byJob, namedRunningJob } from '../objects/running-job.access.ts';
import { pipelineDecider } from '../pipelines/pipeline.decider.ts';
import { pipelineStream } from '../pipelines/pipeline-state.ts';
import type { CiPorts } from '../ports.ts';

/** An agent that cannot send the rest of its log must still be able to end its job. */
const LONGEST_WAIT_MS = 5 * 60_000;
const MOST_WAITING = 10_000;
const UPDATE_INTERVAL_S = '10';

const failureReasonOf = (text: string | undefined): FailureReason =>
  FAILURE_REASONS.find((reason) => reason === text) ?? 'unknown_failure';

export function jobUpdateRoutes(ports: CiPorts): Implementation[] {
  const { commands, ids, jobNews, log, objects, readStore, clock } = ports;
  const namedJob = namedRunningJob(ports);
  const coverageOf = coverageOfJob(ports);
  /** When an agent first said that the job has ended, while pieces of its log are missing. */
  const endedAt = createLru<number, number>(MOST_WAITING);
  const resent = createLru<number, true>(MOST_WAITING);

  async function lacksLog(job: JobRow, size: number | undefined): Promise<boolean> {
    if (size === undefined || size === 0) return false;
    const { id: jobId, ...place } = job;
    const stored = (await objects.stat(growingLogKey({ jobId, ...place })))?.size ?? 0;
    if (stored >= size) return false;
    const now = clock().getTime();
    const since = endedAt.get(jobId) ?? now;
    endedAt.set(jobId, since);
    return now - since < LONGEST_WAIT_MS;
  }

  /** True once a job: then its agent sends all of the log again. */
  async function differs(
    job: JobRow,
    size: number | undefined,
    checksum: string | undefined,
  ): Promise<boolean> {
    if (!checksum || resent.has(job.id)) return false;
    const { id: jobId, ...place } = job;
    const key = growingLogKey({ jobId, ...place });
    if (await isLog(objects, key, { size, checksum })) return false;
    resent.set(jobId, true);
    log.warn({ jobId }, 'the log of a job has another checksum than its agent told, and is asked for again');
    // An append keeps what is there.
    await objects.delete(key);
    return true;
  }

  const headersOf = (status: string) => ({
    'Job-Status': status,
    'X-GitLab-Trace-Update-Interval': UPDATE_INTERVAL_S,
  });
  const answer = (status: string) => value('200', { headers: headersOf(status) });

  return [
    implement(updateJob, async ({ params, headers, origin }) => {
      const { job } = await namedJob(headers, params);
      const { state, failure_reason: reason, exit_code: exitCode = null, output } = params;
      const checksum = output?.checksum ?? params.checksum;
      if (state !== 'success' && state !== 'failed') {
        await jobNews.heard(job);
        return answer(job.status);
      }
      if (await lacksLog(job, output?.bytesize))
        return { kind: 'empty', status: 202, headers: headersOf(job.status) };
      if (await differs(job, output?.bytesize, checksum))
        throw new Rejection('precondition_failed', undefined, headersOf(job.status));
      endedAt.delete(job.id);
      resent.delete(job.id);
      const { projectId, iid, id: jobId, retryMax } = job;
      const hasFailed = state === 'failed';
      await commands.handle(
        pipelineDecider,
        pipelineStream(job),
        {
          ...{ type: 'CompleteJob', projectId, iid, jobId, now: clock().toISOString(), outcome: state },
          failureReason: hasFailed ? failureReasonOf(reason) : null,
          exitCode: exitCode ?? (hasFailed ? null : 0),
          coverage: await coverageOf(job),
          newJobId: hasFailed && retryMax > 0 ? await ids.next('job') : null,
        },
        byJob(origin, jobId),
      );
      // Somebody may have canceled it meanwhile.
      return answer((await readStore.get(jobs, jobId))?.status ?? state);
    }),
  ];
}
