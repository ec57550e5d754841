import {
  deleteArtifacts,
  downloadArtifacts,
  downloadNewestArtifacts,
  getArtifactFile,
  getNewestArtifactFile,
  keepArtifacts,
} from '@forgelog/contracts/ci/artifacts/artifact.api.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { findJob } from '../jobs/found-job.query.ts';
import { jobJson } from '../jobs/job.view.ts';
import { shownJobs } from '../jobs/shown-jobs.query.ts';
import { requirePipelineReader } from '../pipelines/pipeline.access.ts';
import { actOn } from '../pipelines/pipeline-acts.ts';
import type { CiPorts } from '../ports.ts';
import { archiveOf, newestArchive } from './archive.query.ts';
import { archiveAnswer, archivedFileAnswer } from './archive-answers.ts';

/** Artifacts as people see them. */
export function artifactRoutes(ports: CiPorts): Implementation[] {
  const { objects, readStore } = ports;
  const view = jobJson.renderer(ports);

  async function archiveOfJob(project: ProjectGrant, jobId: number) {
    await requirePipelineReader(readStore, project);
    return archiveOf(readStore, (await findJob(readStore, project, jobId)).id);
  }

  async function archiveOfRef(project: ProjectGrant, params: { ref_name: string; job: string }) {
    await requirePipelineReader(readStore, project);
    const { ref_name: ref, job } = params;
    return newestArchive(readStore, { projectId: project.project.id, ref, job });
  }

  return [
    implement(downloadArtifacts, async ({ params, project, headers }) =>
      archiveAnswer(objects, headers, await archiveOfJob(project, params.job_id)),
    ),

    implement(downloadNewestArtifacts, async ({ params, project, headers }) =>
      archiveAnswer(objects, headers, await archiveOfRef(project, params)),
    ),

    implement(getArtifactFile, async ({ params, project, headers }) => {
      const archive = await archiveOfJob(project, params.job_id);
      return archivedFileAnswer(objects, headers, archive, params.artifact_path);
    }),

    implement(getNewestArtifactFile, async ({ params, project, headers }) => {
      const archive = await archiveOfRef(project, params);
      return archivedFileAnswer(objects, headers, archive, params.artifact_path);
    }),

    implement(keepArtifacts, async ({ params, project, metadata }) => {
      const job = await findJob(readStore, project, params.job_id);
      await actOn(ports, job, { type: 'KeepArtifacts', jobId: job.id }, metadata);
      const kept = await findJob(readStore, project, job.id);
      return json(view.one((await shownJobs(ports, project, [kept]))[0]!));
    }),

    implement(deleteArtifacts, async ({ params, project, metadata }) => {
      const job = await findJob(readStore, project, params.job_id);
      await archiveOf(readStore, job.id);
      await actOn(ports, job, { type: 'DeleteArtifacts', jobId: job.id, reason: 'deleted' }, metadata);
      return noContent();
    }),
  ];
}
