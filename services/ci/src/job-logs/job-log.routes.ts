import { Readable } from 'node:stream';
import { appendToJobLog, getJobLog } from '@forgelog/contracts/ci/job-logs/job-log.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { ObjectGapError } from '@forgelog/object-store/object-store.ts';
import type { Answer } from '@forgelog/service-kit/answer.ts';
import { fileAnswer } from '@forgelog/service-kit/byte-range.ts';
import { decodedBody } from '@forgelog/service-kit/content-encoding.ts';
import { collect } from '@forgelog/service-kit/request-body.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { findJob } from '../jobs/found-job.query.ts';
import type { JobRow } from '../jobs/jobs.collection.ts';
import { archivedLogKey, growingLogKey } from '../objects/object-keys.ts';
import { byJob, namedRunningJob } from '../objects/running-job.access.ts';
import { requirePipelineReader } from '../pipelines/pipeline.access.ts';
import { pipelineDecider } from '../pipelines/pipeline.decider.ts';
import { pipelineStream } from '../pipelines/pipeline-state.ts';
import { masked } from './masked.ts';
import { createWatchedLogs } from './watched-logs.ts';

const MAX_PIECE_BYTES = 8 * 1024 * 1024;
const MAX_LOG_BYTES = 100 * 1024 * 1024;
const CONTENT_RANGE = /^(?:bytes )?(\d{1,15})-\d{0,15}(?:\/.*)?$/;

/** Logs of jobs: runners append to them, people read them as they grow (companions.md 5). */
export function jobLogRoutes(ports: ServicePorts): Implementation[] {
  const { objects, readStore, commands, clock } = ports;
  const namedJob = namedRunningJob(ports);
  const watched = createWatchedLogs(clock);

  const answerTo = (status: 202 | 416, jobId: number, size: number): Answer => ({
    kind: 'empty',
    status,
    headers: {
      'Job-Status': 'running',
      // Not in the form of HTTP: agents take the number after the dash for the size.
      Range: `0-${size}`,
      'X-GitLab-Trace-Update-Interval': watched.interval(jobId),
    },
  });

  /** Looks for the archived log first: once it is named, the growing one goes. */
  async function logOf({ id: jobId, logSha256, ...place }: JobRow) {
    const job = { jobId, ...place };
    const key = logSha256 === null ? growingLogKey(job) : archivedLogKey(job, logSha256);
    const facts = await objects.stat(key);
    return facts && { key, size: facts.size, etag: `"${logSha256 ?? `${jobId}-${facts.size}`}"` };
  }

  return [
    implement(appendToJobLog, async ({ params, headers, body, origin }) => {
      const { job, token } = await namedJob(headers, params);
      const [, start] = CONTENT_RANGE.exec(String(headers['content-range'] ?? '')) ?? [];
      if (start === undefined)
        throw new Rejection('bad_request', { reason: 'Missing or invalid header Content-Range' });
      const piece = await collect(decodedBody(body, MAX_PIECE_BYTES), MAX_PIECE_BYTES);
      const place = { jobId: job.id, projectId: job.projectId, pipelineId: job.pipelineId, iid: job.iid };
      if (Number(start) + piece.length > MAX_LOG_BYTES) {
        const drop = { type: 'DropJob', ...place, from: 'running', newJobId: null } as const;
        await commands.handle(
          pipelineDecider,
          pipelineStream(place),
          { ...drop, failureReason: 'runner_system_failure', now: clock().toISOString() },
          byJob(origin, job.id),
        );
        throw new Rejection('forbidden', { reason: 'The log is too large' }, { 'Job-Status': 'failed' });
      }
      try {
        const size = await objects.append(growingLogKey(place), Number(start), masked(piece, token));
        return answerTo(202, job.id, size);
      } catch (error) {
        if (error instanceof ObjectGapError) return answerTo(416, job.id, error.size);
        throw error;
      }
    }),

    implement(getJobLog, async ({ params, project, headers }) => {
      await requirePipelineReader(readStore, project);
      const job = await findJob(readStore, project, params.job_id);
      watched.read(job.id);
      const log = await logOf(job);
      return fileAnswer(headers, {
        size: log?.size ?? 0,
        etag: log?.etag ?? `"${job.id}-0"`,
        headers: {
          'Content-Type': 'text/plain; charset=utf-8',
          'Content-Disposition': `infile; filename="${job.id}.log"`,
        },
        async open(range) {
          const found = log && (await objects.get(log.key, range ?? { start: 0, end: log.size }));
          return found?.body ?? Readable.from([]);
        },
      });
    }),
  ];
}
