import type { DeploymentStatus } from '@forgelog/contracts/ci/deployments/deployment.events.ts';
import { describeDeployment } from '@forgelog/contracts/ci/deployments/deployment.operations.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { describedRow } from '@forgelog/service-kit/described-record.ts';
import { implementOperation, type OperationImplementation } from '@forgelog/service-kit/operations.ts';
import { environments } from '../environments/environments.projection.ts';
import { deployments } from './deployments.projection.ts';

export function deploymentOperations({ readStore }: ServicePorts): OperationImplementation[] {
  return [
    implementOperation(describeDeployment, async ({ request }) => {
      const [row] = await readStore.find(deployments, describedRow(request));
      const environment = row && (await readStore.get(environments, row.environmentId));
      if (!row || !environment) return { deployment: null };
      const { id, projectId, jobId, authorId, ref, sha, status } = row;
      const told = { id, projectId, jobId, userId: authorId, environment: environment.name, ref, sha };
      return { deployment: { ...told, status: status as DeploymentStatus } };
    }),
  ];
}
