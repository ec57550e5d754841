import { getOwnJob, listRunnerJobs } from '@forgelog/contracts/ci/jobs/job.api.ts';
import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { createAuthorizer } from '@forgelog/directory/authorizer.ts';
import { and, asc, desc, eq } from '@forgelog/eventing/query.ts';
import { json } from '@forgelog/service-kit/answer.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import type { CiPorts } from '../ports.ts';
import { mayChange } from '../runners/runner.access.ts';
import { runners } from '../runners/runners.projection.ts';
import { jobJson, type ShownJob } from './job.view.ts';
import { type JobRow, jobs } from './jobs.collection.ts';
import { shownJobs } from './shown-jobs.query.ts';

/** Jobs that no project's path names: those of a runner, and that of a token. */
export function agentJobRoutes(ports: CiPorts): Implementation[] {
  const { directory, readStore } = ports;
  const authorizer = createAuthorizer(directory);
  const view = jobJson.renderer(ports);

  /** In the order given, without those of projects that are gone. */
  async function shown(rows: readonly JobRow[], principal: Principal): Promise<ShownJob[]> {
    const found = new Map<number, ShownJob>();
    for (const projectId of new Set(rows.map((row) => row.projectId))) {
      const grant = await authorizer.project(String(projectId), principal);
      const own = rows.filter((row) => row.projectId === projectId);
      if (grant) for (const job of await shownJobs(ports, grant, own)) found.set(job.id, job);
    }
    return rows.flatMap(({ id }) => found.get(id) ?? []);
  }

  return [
    implement(getOwnJob, async ({ caller }) => {
      const { kind, id } = caller.credential;
      const row = kind === 'job_token' && id !== null ? await readStore.get(jobs, id) : undefined;
      const [job] = row ? await shown([row], caller) : [];
      if (!job) throw new Rejection('not_found', { what: 'Job' });
      return json(view.one(job));
    }),

    implement(listRunnerJobs, async ({ params, caller, page }) => {
      const runner = await readStore.get(runners, params.id);
      if (!runner) throw new Rejection('not_found', { what: 'Runner' });
      if (!(await mayChange(runner, caller, directory)))
        throw new Rejection('forbidden', { reason: 'No access granted' });
      const where = and(
        eq('runnerId', runner.id),
        (await directory.projectsWith(caller, AccessLevel.reporter, 'projectId')) ?? and(),
        ...(params.status === undefined ? [] : [eq('status', params.status)]),
      );
      const sort = [params.sort === 'asc' ? asc('id') : desc('id')];
      const { documents, next } = await pageOf(readStore, jobs, { where, sort, page });
      return { kind: 'list', items: view.list(await shown(documents, caller)), next };
    }),
  ];
}
