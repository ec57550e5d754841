import type { DeploymentStatus } from '@forgelog/contracts/ci/deployments/deployment.events.ts';
import { deploymentView, lastDeploymentView } from '@forgelog/contracts/ci/deployments/deployment.views.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { derived, nested } from '@forgelog/service-kit/view-parts.ts';
import { user } from '@forgelog/service-kit/view-placeholders.ts';
import { environmentJson } from '../environments/environment.view.ts';
import type { EnvironmentRow } from '../environments/environments.projection.ts';
import { jobJson, type ShownJob } from '../jobs/job.view.ts';
import type { DeploymentRow } from './deployments.projection.ts';

/** A deployment with what its answer shows of other records. */
export interface ShownDeployment extends DeploymentRow {
  environment: EnvironmentRow;
  job: ShownJob | null;
}

export const lastDeploymentJson = implementView(lastDeploymentView).from<ShownDeployment>({
  id: 'id',
  iid: 'iid',
  ref: 'ref',
  sha: 'sha',
  created_at: 'createdAt',
  status: derived(['status'], (status: string) => status as DeploymentStatus),
  user: user('authorId'),
  deployable: nested(jobJson, ({ job }: ShownDeployment) => job),
});

export const deploymentJson = implementView(deploymentView).from<ShownDeployment>({
  ...lastDeploymentJson.members,
  updated_at: 'updatedAt',
  environment: nested(environmentJson, ({ environment }: ShownDeployment) => environment),
});
