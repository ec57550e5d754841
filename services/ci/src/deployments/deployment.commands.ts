import type { DeploymentStatus } from '@forgelog/contracts/ci/deployments/deployment.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import { createProjectNumbers } from '@forgelog/service-kit/project-numbers.ts';
import { environmentDecider, environmentsStream } from '../environments/environment.decider.ts';
import { type EnvironmentRow, environments } from '../environments/environments.projection.ts';
import { type DeploymentPlace, deploymentDecider, deploymentStream } from './deployment.decider.ts';
import { deployments } from './deployments.projection.ts';

export interface NewDeployment {
  projectId: number;
  environmentId: number;
  jobId: number | null;
  pipelineIid: number | null;
  userId: number | null;
  ref: string;
  isTag: boolean;
  sha: string;
  status: DeploymentStatus;
}

type Ports = Pick<ServicePorts, 'readStore' | 'commands' | 'ids' | 'clock'>;

export function deploymentCommands({ readStore, commands, ids, clock }: Ports) {
  const numbers = createProjectNumbers(readStore, deployments, 'deployment');
  const now = () => clock().toISOString();

  async function environmentNamed(projectId: number, name: string): Promise<EnvironmentRow | undefined> {
    const where = and(eq('projectId', projectId), eq('name', name));
    return (await readStore.find(environments, { where, limit: 1 }))[0];
  }

  return {
    environmentNamed,

    /** @throws Rejection for a name that no environment can have */
    async ensureEnvironment(projectId: number, name: string, metadata: EventMetadata): Promise<number> {
      const found = await environmentNamed(projectId, name);
      if (found) return found.id;
      const environmentId = await ids.next('environment');
      const command = {
        type: 'CreateEnvironment',
        projectId,
        environmentId,
        name,
        externalUrl: null,
      } as const;
      try {
        await commands.handle(environmentDecider, environmentsStream(projectId), command, metadata);
        return environmentId;
      } catch (error) {
        // Somebody else may have been faster.
        const other = error instanceof Rejection && (await environmentNamed(projectId, name));
        if (!other) throw error;
        return other.id;
      }
    },

    /** A job makes one deployment, however often it is asked for. */
    async create(deployment: NewDeployment, metadata: EventMetadata, operationId?: string): Promise<number> {
      const { projectId, jobId } = deployment;
      const createdBefore = async () => {
        if (jobId === null) return undefined;
        const [found] = await readStore.find(deployments, { where: eq('jobId', jobId), limit: 1 });
        return found?.id;
      };
      const before = await createdBefore();
      if (before !== undefined) return before;
      const deploymentId = await ids.next('deployment');
      return numbers.withNext(projectId, async (iid) => {
        const present = await createdBefore();
        if (present !== undefined) return present;
        const place = { projectId, iid };
        const command = {
          type: 'CreateDeployment',
          ...deployment,
          ...place,
          deploymentId,
          now: now(),
        } as const;
        await commands.handle(deploymentDecider, deploymentStream(place), command, metadata, {
          mustBeNew: true,
          ...(operationId === undefined ? {} : { operationId }),
        });
        return deploymentId;
      });
    },

    move(
      { projectId, iid }: DeploymentPlace,
      status: DeploymentStatus,
      metadata: EventMetadata,
      { byJob }: { byJob: boolean },
    ) {
      const command = { type: 'MoveDeployment', projectId, iid, status, byJob, now: now() } as const;
      return commands.handle(deploymentDecider, deploymentStream(command), command, metadata);
    },
  };
}
