import {
  createCommitStatus,
  listCommitStatuses,
} from '@forgelog/contracts/ci/commit-statuses/commit-status.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { findCommit } from '@forgelog/contracts/repo/commits/commit.operations.ts';
import { and, asc, desc, eq, oneOf } from '@forgelog/eventing/query.ts';
import { json } from '@forgelog/service-kit/answer.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { type JobRow, jobs } from '../jobs/jobs.collection.ts';
import { requirePipelineReader } from '../pipelines/pipeline.access.ts';
import { type PipelineRow, pipelines } from '../pipelines/pipelines.projection.ts';
import type { CiPorts } from '../ports.ts';
import { statusReporting } from './commit-status.commands.ts';
import { commitStatusJson } from './commit-status.view.ts';

/** The newest ones, of a commit that ran more often. */
const MOST_PIPELINES = 100;

export function commitStatusRoutes(ports: CiPorts): Implementation[] {
  const { operations, readStore } = ports;
  const view = commitStatusJson.renderer(ports);
  const reporting = statusReporting(ports);

  async function needCommit(
    projectId: number,
    name: string,
    { principal, withBranch }: { principal: Principal | null; withBranch: boolean },
  ) {
    const { sha, branch } = await operations.call(findCommit, { projectId, name, withBranch }, { principal });
    if (sha === null) throw new Rejection('not_found', { what: 'Commit' });
    return { sha, branch };
  }

  const withPipelines = (rows: readonly JobRow[], found: readonly PipelineRow[]) => {
    const byId = new Map(found.map((pipeline) => [pipeline.id, pipeline]));
    return rows.flatMap((row) => {
      const pipeline = byId.get(row.pipelineId);
      return pipeline ? [{ ...row, pipeline }] : [];
    });
  };

  return [
    implement(listCommitStatuses, async ({ params, project, principal, page }) => {
      await requirePipelineReader(readStore, project);
      const projectId = project.project.id;
      const { sha } = await needCommit(projectId, params.sha, { principal, withBranch: false });
      const ofRef = params.ref === undefined ? [] : [eq('ref', shortRef(params.ref))];
      const found = await readStore.find(pipelines, {
        where: and(eq('projectId', projectId), eq('sha', sha), ...ofRef),
        sort: [desc('id')],
        limit: MOST_PIPELINES,
      });
      const where = and(
        oneOf(
          'pipelineId',
          found.map(({ id }) => id),
        ),
        ...(params.stage === undefined ? [] : [eq('stage', params.stage)]),
        ...(params.name === undefined ? [] : [eq('name', params.name)]),
        ...(params.all ? [] : [eq('isRetried', false)]),
      );
      const { documents, next } = await pageOf(readStore, jobs, { where, sort: [asc('id')], page });
      return { kind: 'list', items: view.list(withPipelines(documents, found)), next };
    }),

    implement(createCommitStatus, async ({ params, project, caller, principal, metadata }) => {
      const projectId = project.project.id;
      const ref = params.ref ? shortRef(params.ref) : undefined;
      const withBranch = ref === undefined;
      const { sha, branch } = await needCommit(projectId, params.sha, { principal, withBranch });
      const name = params.name || params.context || 'default';
      const { state, target_url, description, coverage, pipeline_id: pipelineId } = params;
      const jobId = await reporting.report({
        ...{ projectId, sha, caller, metadata, ref, branch, pipelineId },
        report: {
          name,
          state,
          coverage,
          targetUrl: emptyAsNull(target_url),
          description: emptyAsNull(description),
        },
      });
      const row = await readStore.get(jobs, jobId);
      const pipeline = row && (await readStore.get(pipelines, row.pipelineId));
      // Deleted since.
      if (!pipeline) throw new Rejection('record_not_found');
      return json(view.one({ ...row, pipeline }), { status: 201 });
    }),
  ];
}

const shortRef = (ref: string) => ref.replace(/^refs\/(heads|tags)\//, '');
const emptyAsNull = (text: string | undefined) => (text === '' ? null : text);
