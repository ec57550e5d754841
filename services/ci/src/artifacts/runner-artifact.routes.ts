import { parseDuration } from '@forgelog/ci-config/duration.ts';
import {
  type ArtifactDescription,
  artifactDescription,
  authorizeArtifact,
  downloadDependency,
  uploadArtifact,
} from '@forgelog/contracts/ci/artifacts/runner-artifact.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { decodeParams, type RawRecord } from '@forgelog/contracts/params.ts';
import { actingUser } from '@forgelog/directory/acting-user.ts';
import { createAuthorizer } from '@forgelog/directory/authorizer.ts';
import { settingNow } from '@forgelog/directory/settings.ts';
import { value } from '@forgelog/service-kit/answer.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { receiveFile } from '@forgelog/service-kit/streamed-file.ts';
import { artifactKey, type JobRow, jobArtifacts, jobs } from '../jobs/jobs.collection.ts';
import { artifactObject } from '../objects/object-keys.ts';
import { byJob, namedRunningJob, runningJobOf } from '../objects/running-job.access.ts';
import { pipelineDecider } from '../pipelines/pipeline.decider.ts';
import { pipelineStream } from '../pipelines/pipeline-state.ts';
import type { CiPorts } from '../ports.ts';
import { archiveOf } from './archive.query.ts';
import { archiveAnswer } from './archive-answers.ts';
import { DotenvError } from './dotenv.ts';
import { dotenvOf } from './dotenv-variables.query.ts';

/** The stock agent describes its file in the query, others in fields of the form, even behind the file. */
function withFields(inQuery: ArtifactDescription, fields: RawRecord): ArtifactDescription {
  const problems: string[] = [];
  const inForm = decodeParams(artifactDescription, fields, problems);
  if (problems.length > 0) throw new Rejection('invalid_parameters', { problems });
  const given = Object.entries(inForm).filter(([name]) => fields[name]);
  return { ...inQuery, ...Object.fromEntries(given) };
}

/** Artifacts as runners see them: uploads of their own job, and archives of jobs before it. */
export function runnerArtifactRoutes(ports: CiPorts): Implementation[] {
  const { objects, readStore, commands, clock, directory, configuration, jobNews } = ports;
  const namedJob = namedRunningJob(ports);
  const anyJob = runningJobOf(ports);
  const authorizer = createAuthorizer(directory);
  const maxBytes = configuration.MAX_ARTIFACT_MB * 1024 * 1024;

  function requireEnabled(): void {
    if (configuration.CI_ARTIFACTS === 'off') throw new Rejection('artifacts_disabled');
  }

  /** Null for never, and the instance's default where a runner says nothing that can be understood. */
  async function expiryOf(written: string | undefined): Promise<string | null> {
    const text = written?.trim().toLowerCase() ?? '';
    if (text === 'never') return null;
    const usual = parseDuration((await settingNow(ports, 'default_artifacts_expire_in')) || '0');
    const seconds = parseDuration(text) ?? usual ?? 0;
    return seconds === 0 ? null : new Date(clock().getTime() + seconds * 1000).toISOString();
  }

  /** Later jobs read it without anybody who could be told what is wrong. */
  async function requireDotenv(report: Parameters<typeof dotenvOf>[1]): Promise<void> {
    await dotenvOf(objects, report).catch((error: unknown) => {
      throw error instanceof DotenvError ? new Rejection('bad_request', { reason: error.message }) : error;
    });
  }

  /** Jobs of the same project, and of others that the job's user may see. */
  async function mayDownload(job: JobRow, from: JobRow): Promise<boolean> {
    if (job.projectId === from.projectId) return true;
    if (job.actorId === null) return false;
    const user = await actingUser(directory, job.actorId, { credential: { kind: 'job_token', id: job.id } });
    if (!user) return false;
    const grant = await authorizer.project(String(from.projectId), user);
    return grant?.can('builds') ?? false;
  }

  return [
    implement(uploadArtifact, async ({ params, body, headers, origin }) => {
      requireEnabled();
      const { job } = await namedJob(headers, params);
      const place = { jobId: job.id, projectId: job.projectId, pipelineId: job.pipelineId, iid: job.iid };
      await jobNews.heard(job);
      const stored = await receiveFile(
        body,
        { name: 'file', maxBytes },
        async ({ filename, stream, fields }) => {
          const described = async () => withFields(params, await fields);
          const key = async (sha256: string) =>
            artifactObject(place, (await described()).artifact_type, sha256);
          return { filename, ...(await objects.put(key, stream, { maxBytes })), ...(await described()) };
        },
      );
      const { filename, size, sha256, artifact_type: fileType, artifact_format: fileFormat } = stored;
      const command = {
        ...{ type: 'AddArtifact' as const, ...place, fileType, fileFormat, filename, size, sha256 },
        ...{ expiresAt: await expiryOf(stored.expire_in), now: clock().toISOString() },
      };
      try {
        if (fileType === 'dotenv') await requireDotenv({ ...place, fileType, fileFormat, size, sha256 });
        await commands.handle(pipelineDecider, pipelineStream(place), command, byJob(origin, job.id));
      } catch (error) {
        const present = await readStore.get(jobArtifacts, artifactKey(job.id, fileType));
        if (error instanceof Rejection && present?.sha256 !== sha256) await objects.delete(stored.key);
        throw error;
      }
      return value('201', { status: 201 });
    }),

    implement(authorizeArtifact, async ({ params, headers }) => {
      requireEnabled();
      await namedJob(headers, params);
      if ((params.filesize ?? 0) > maxBytes)
        throw new Rejection('too_large', { what: `artifacts are limited to ${maxBytes} bytes` });
      return value('200');
    }),

    implement(downloadDependency, async ({ params, headers }) => {
      const { job } = await anyJob(headers, params.token);
      const from = await readStore.get(jobs, params.id);
      if (!from || !(await mayDownload(job, from))) throw new Rejection('record_not_found');
      return archiveAnswer(objects, headers, await archiveOf(readStore, from.id));
    }),
  ];
}
