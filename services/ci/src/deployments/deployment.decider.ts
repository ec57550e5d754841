import type {
  DeploymentEvent,
  DeploymentStatus,
} from '@forgelog/contracts/ci/deployments/deployment.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

type Created = Extract<DeploymentEvent, { type: 'DeploymentCreated' }>['data'];

export type DeploymentState =
  | { existence: 'absent' }
  | ({ existence: 'present' } & Pick<
      Created,
      'deploymentId' | 'environmentId' | 'jobId' | 'status' | 'finishedAt'
    >);

export interface DeploymentPlace {
  projectId: number;
  iid: number;
}

export type DeploymentCommand = DeploymentPlace & { now: string } & (
    | ({ type: 'CreateDeployment' } & Omit<Created, 'finishedAt'>)
    /** `byJob` tells that the job of the deployment asks for it; people change only those without one. */
    | { type: 'MoveDeployment'; status: DeploymentStatus; byJob: boolean }
  );

export const deploymentStream = ({ projectId, iid }: DeploymentPlace) => `deployment-${projectId}-${iid}`;

const isOver = (status: DeploymentStatus) => status !== 'created' && status !== 'running';

export const deploymentDecider: Decider<DeploymentState, DeploymentCommand, DeploymentEvent> = {
  initialState: { existence: 'absent' },

  decide(command, state) {
    const finishedAt = isOver(command.status) ? command.now : null;
    switch (command.type) {
      case 'CreateDeployment': {
        if (state.existence !== 'absent') throw new Rejection('conflict', {});
        const { type: _, now: _now, ...data } = command;
        return [{ type: 'DeploymentCreated', data: { ...data, finishedAt } }];
      }
      case 'MoveDeployment': {
        if (state.existence === 'absent') throw new Rejection('record_not_found');
        const { projectId, iid, status, byJob } = command;
        if (status === state.status) return [];
        if (!byJob && state.jobId !== null) throw new Rejection('forbidden', { reason: OF_JOB });
        if (!isOver(status) && state.status !== 'created')
          throw new Rejection('validation_failed', { fields: { status: [`cannot be ${status} again`] } });
        const { deploymentId, environmentId } = state;
        const change = changesFrom<Pick<Created, 'status' | 'finishedAt'>>(state, { status, finishedAt })!;
        const data = { deploymentId, projectId, iid, environmentId, ...change };
        return [{ type: 'DeploymentUpdated', data }];
      }
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'DeploymentCreated': {
        const { deploymentId, environmentId, jobId, status, finishedAt } = event.data;
        return { existence: 'present', deploymentId, environmentId, jobId, status, finishedAt };
      }
      case 'DeploymentUpdated':
        return state.existence === 'present' ? { ...state, ...event.data.changes } : state;
      default:
        return event satisfies never;
    }
  },
};

const OF_JOB = 'the status of this deployment follows its job';
