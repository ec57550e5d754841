import { environmentDetailView } from '@forgelog/contracts/ci/environments/environment.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { nested } from '@forgelog/service-kit/view-parts.ts';
import { lastDeploymentJson, type ShownDeployment } from '../deployments/deployment.view.ts';
import { environmentJson } from './environment.view.ts';
import type { EnvironmentRow } from './environments.projection.ts';

interface ShownEnvironment extends EnvironmentRow {
  deployment: ShownDeployment | null;
}

export const environmentDetailJson = implementView(environmentDetailView).from<ShownEnvironment>({
  ...environmentJson.members,
  last_deployment: nested(lastDeploymentJson, ({ deployment }: ShownEnvironment) => deployment),
});
