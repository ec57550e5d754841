import { and, desc, eq, oneOf } from '@forgelog/eventing/query.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { environments } from '../environments/environments.projection.ts';
import { jobs } from '../jobs/jobs.collection.ts';
import { shownJobs } from '../jobs/shown-jobs.query.ts';
import type { ShownDeployment } from './deployment.view.ts';
import { type DeploymentRow, deployments } from './deployments.projection.ts';

type Ports = Parameters<typeof shownJobs>[0];

/** Deployments of one project with what their answers show besides. */
export async function shownDeployments(
  ports: Ports,
  project: ProjectGrant,
  rows: readonly DeploymentRow[],
): Promise<ShownDeployment[]> {
  const { readStore } = ports;
  if (rows.length === 0) return [];
  const jobIds = rows.flatMap(({ jobId }) => jobId ?? []);
  const [found, ran] = await Promise.all([
    readStore.find(environments, {
      where: oneOf('id', [...new Set(rows.map(({ environmentId }) => environmentId))]),
      limit: rows.length,
    }),
    jobIds.length === 0 ? [] : readStore.find(jobs, { where: oneOf('id', jobIds), limit: jobIds.length }),
  ]);
  const shown = await shownJobs(ports, project, ran);
  return rows.flatMap((row) => {
    const environment = found.find(({ id }) => id === row.environmentId);
    // Deleted between the reads.
    if (!environment) return [];
    return [{ ...row, environment, job: shown.find(({ id }) => id === row.jobId) ?? null }];
  });
}

/** Returns the newest deployment that succeeded, or null. */
export async function lastDeployment(
  ports: Ports,
  project: ProjectGrant,
  environmentId: number,
): Promise<ShownDeployment | null> {
  const rows = await ports.readStore.find(deployments, {
    where: and(eq('environmentId', environmentId), eq('status', 'success')),
    sort: [desc('id')],
    limit: 1,
  });
  return (await shownDeployments(ports, project, rows))[0] ?? null;
}
