import type { DeploymentEvent } from '@forgelog/contracts/ci/deployments/deployment.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { type DeploymentCommand, deploymentDecider as decider } from './deployment.decider.ts';

const now = '2026-01-01T12:00:00.000Z';
const place = { projectId: 7, iid: 1 };
const facts = {
  ...{ ...place, deploymentId: 3, environmentId: 5, jobId: null, pipelineIid: null, userId: 2 },
  ...{ ref: 'main', isTag: false, sha: 'a'.repeat(40) },
};
const created = (
  status: 'created' | 'running' | 'success',
  jobId: number | null = null,
): DeploymentEvent => ({
  type: 'DeploymentCreated',
  data: { ...facts, jobId, status, finishedAt: status === 'success' ? now : null },
});
const move = (status: 'running' | 'success' | 'failed' | 'canceled', byJob = false): DeploymentCommand => ({
  type: 'MoveDeployment',
  ...{ ...place, status, byJob, now },
});
const moved = (changes: object, previous: object): DeploymentEvent => ({
  type: 'DeploymentUpdated',
  data: { ...place, deploymentId: 3, environmentId: 5, changes, previous },
});

test('a deployment that is over from the beginning has its end', () => {
  const create: DeploymentCommand = { type: 'CreateDeployment', ...facts, status: 'success', now };
  given(decider).when(create).thenEvents(created('success'));
  given(decider, created('running')).when(create).thenRejected('conflict');
});

test('a deployment goes on, ends, and may end otherwise', () => {
  const ended = { status: 'success', finishedAt: now };
  given(decider, created('created'))
    .when(move('running'))
    .thenEvents(moved({ status: 'running' }, { status: 'created' }));
  given(decider, created('running'))
    .when(move('success'))
    .thenEvents(moved(ended, { status: 'running', finishedAt: null }));
  given(decider, created('success'))
    .when(move('failed'))
    .thenEvents(moved({ status: 'failed' }, { status: 'success' }));
  given(decider, created('success')).when(move('success')).thenEvents();
  given(decider, created('success')).when(move('running')).thenRejected('validation_failed');
  given(decider).when(move('success')).thenRejected('record_not_found');
});

test('the deployment of a job follows that job alone', () => {
  given(decider, created('running', 9)).when(move('failed')).thenRejected('forbidden');
  given(decider, created('running', 9))
    .when(move('canceled', true))
    .thenEvents(moved({ status: 'canceled', finishedAt: now }, { status: 'running', finishedAt: null }));
});
