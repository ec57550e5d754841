import {
  ENVIRONMENT_STOPPED,
  type EnvironmentEvent,
} from '@forgelog/contracts/ci/environments/environment.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { expect, test } from 'vitest';
import { type EnvironmentCommand, environmentDecider } from './environment.decider.ts';

const projectId = 7;

const created = (environmentId: number, name: string, slug = name): EnvironmentEvent => ({
  type: 'EnvironmentCreated',
  data: { environmentId, projectId, name, slug, externalUrl: null },
});
const stopped = (environmentId: number): EnvironmentEvent => ({
  type: 'EnvironmentStopped',
  data: { environmentId, projectId, ...ENVIRONMENT_STOPPED },
});
const scheduled = (environmentId: number, dueAt: string): EnvironmentEvent => ({
  type: 'EnvironmentDeletionScheduled',
  data: {
    ...{ environmentId, projectId, dueAt },
    changes: { deletionDueAt: dueAt },
    previous: { deletionDueAt: null },
  },
});

const create = (name: string, externalUrl: string | null = null): EnvironmentCommand => ({
  type: 'CreateEnvironment',
  projectId,
  environmentId: 9,
  name,
  externalUrl,
});

const deleted = (environmentId: number): EnvironmentEvent => ({
  type: 'EnvironmentDeleted',
  data: { environmentId, projectId },
});
interface Fields {
  name?: string;
  externalUrl?: string | null;
}
const updated = (changes: Fields, previous: Fields): EnvironmentEvent => ({
  type: 'EnvironmentUpdated',
  data: { environmentId: 1, projectId, changes, previous },
});

test('an environment needs a name, and an empty URL counts as none', () => {
  const data = { environmentId: 9, projectId, name: 'staging', slug: 'staging' };
  const externalUrl = 'https://staging.example.com';
  given(environmentDecider)
    .when(create('staging', externalUrl))
    .thenEvents({ type: 'EnvironmentCreated', data: { ...data, externalUrl } });
  given(environmentDecider)
    .when(create('staging', ''))
    .thenEvents({ type: 'EnvironmentCreated', data: { ...data, externalUrl: null } });
});

const RULE = expect.stringContaining('can contain only letters, digits');
test.each([
  ['', ["can't be blank", RULE]],
  ['/x', [RULE]],
  ['x/', [RULE]],
  ['x\ny', [RULE]],
  ['x\n', [RULE]],
  ['ü', [RULE]],
  ['x'.repeat(256), ['is too long (maximum is 255 characters)']],
])('the name %j is rejected', (name, problems) => {
  given(environmentDecider)
    .when(create(name))
    .thenRejected('validation_failed', { message: { name: problems } });
});

test.each(['$CI_BRANCH', 'review/a.b', 'a b', '$x{y}', 'x'.repeat(255)])(
  'the name %j is accepted',
  (name) => {
    const { decide, initialState } = environmentDecider;
    expect(decide(create(name), initialState)).toMatchObject([{ data: { name } }]);
  },
);

test('names are unique, and an old slug stays taken after a rename', () => {
  const taken = ['has already been taken'];
  given(environmentDecider, created(1, 'staging'))
    .when(create('staging'))
    .thenRejected('validation_failed', { message: { name: taken, slug: taken } });
  given(environmentDecider, created(1, 'staging'), updated({ name: 'other' }, { name: 'staging' }))
    .when(create('staging'))
    .thenRejected('validation_failed', { message: { slug: taken } });
  given(environmentDecider, created(1, 'staging'), deleted(1))
    .when(create('staging'))
    .thenEvents(created(9, 'staging'));
});

test('an update records only changes with their old values, and null clears the URL', () => {
  const environment = given(
    environmentDecider,
    created(1, 'staging'),
    created(2, 'production'),
    updated({ externalUrl: 'http://a.example' }, { externalUrl: null }),
  );
  const update = (changes: Fields): EnvironmentCommand => ({
    type: 'UpdateEnvironment',
    projectId,
    environmentId: 1,
    ...changes,
  });
  environment.when(update({ name: 'staging' })).thenEvents();
  environment
    .when(update({ name: 'qa', externalUrl: 'http://a.example' }))
    .thenEvents(updated({ name: 'qa' }, { name: 'staging' }));
  environment
    .when(update({ externalUrl: null }))
    .thenEvents(updated({ externalUrl: null }, { externalUrl: 'http://a.example' }));
  environment
    .when(update({ name: 'production' }))
    .thenRejected('validation_failed', { message: { name: ['has already been taken'] } });
});

test('a missing environment is not found', () => {
  for (const type of ['UpdateEnvironment', 'StopEnvironment', 'DeleteEnvironment'] as const)
    for (const events of [[], [created(5, 'a'), deleted(5)]])
      given(environmentDecider, ...events)
        .when({ type, projectId, environmentId: 5 })
        .thenRejected('record_not_found');
});

test('a repeated stop records nothing', () => {
  const stop: EnvironmentCommand = { type: 'StopEnvironment', projectId, environmentId: 1 };
  given(environmentDecider, created(1, 'a')).when(stop).thenEvents(stopped(1));
  given(environmentDecider, created(1, 'a'), stopped(1)).when(stop).thenEvents();
});

test('an environment is deleted whatever its state', () => {
  const remove: EnvironmentCommand = { type: 'DeleteEnvironment', projectId, environmentId: 1 };
  given(environmentDecider, created(1, 'a')).when(remove).thenEvents(deleted(1));
  given(environmentDecider, created(1, 'a'), stopped(1)).when(remove).thenEvents(deleted(1));
});

test('only stopped, unscheduled review apps are scheduled', () => {
  const dueAt = '2026-02-01T00:00:00.000Z';
  given(
    environmentDecider,
    ...[created(1, 'review/a'), stopped(1)],
    created(2, 'review/b'),
    ...[created(3, 'staging'), stopped(3)],
    ...[created(4, 'review/c'), stopped(4), scheduled(4, '2026-01-01T00:00:00.000Z')],
  )
    .when({ type: 'ScheduleReviewAppDeletions', projectId, environmentIds: [1, 2, 3, 4, 99], dueAt })
    .thenEvents(scheduled(1, dueAt));
});

test('only due environments are deleted', () => {
  const present = given(
    environmentDecider,
    ...[created(1, 'review/a'), scheduled(1, '2026-01-08T00:00:00.000Z')],
    ...[created(2, 'review/b'), scheduled(2, '2026-01-09T00:00:00.000Z')],
    created(3, 'review/c'),
  );
  const now = '2026-01-08T00:00:00.000Z';
  const due = (environmentId: number) =>
    ({ type: 'DeleteDueEnvironment', projectId, environmentId, now }) as const;
  present.when(due(1)).thenEvents(deleted(1));
  for (const id of [2, 3, 99]) present.when(due(id)).thenEvents();
});

const deploy = { type: 'RecordDeployment', projectId, environmentId: 1, deploymentId: 3 } as const;
const until = '2026-01-03T00:00:00.000Z';

test('a deployment makes a stopped environment available, and keeps an address that it does not tell', () => {
  const nothing = { externalUrl: null, autoStopAt: null, stopPipelineIid: null, stopJob: null };
  given(environmentDecider, created(1, 'review/a', 'a'))
    .when({ ...deploy, ...nothing })
    .thenEvents();
  given(environmentDecider, created(1, 'review/a', 'a'), stopped(1), scheduled(1, until))
    .when({ ...deploy, ...nothing, externalUrl: 'https://a.example', autoStopAt: until })
    .thenEvents({
      type: 'EnvironmentDeployed',
      data: {
        ...{ environmentId: 1, projectId, deploymentId: 3 },
        changes: {
          ...{ state: 'available', deletionDueAt: null, autoStopAt: until },
          externalUrl: 'https://a.example',
        },
        previous: { state: 'stopped', deletionDueAt: until, autoStopAt: null, externalUrl: null },
      },
    });
  given(environmentDecider)
    .when({ ...deploy, ...nothing })
    .thenEvents();
});

test('an environment is stopped by itself once it is due', () => {
  const deployed: EnvironmentEvent = {
    type: 'EnvironmentDeployed',
    data: {
      ...{ environmentId: 1, projectId, deploymentId: 3 },
      ...{ changes: { autoStopAt: until }, previous: { autoStopAt: null } },
    },
  };
  const stop = (now: string): EnvironmentCommand => ({
    type: 'StopDueEnvironment',
    ...{ projectId, environmentId: 1, now },
  });
  const present = created(1, 'review/a', 'a');
  given(environmentDecider, present).when(stop(until)).thenEvents();
  given(environmentDecider, present, deployed).when(stop('2026-01-02T23:59:59.999Z')).thenEvents();
  given(environmentDecider, present, deployed).when(stop(until)).thenEvents(stopped(1));
  given(environmentDecider, present, deployed, stopped(1)).when(stop(until)).thenEvents();
});
