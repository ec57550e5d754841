import type { EnvironmentEvent } from '@forgelog/contracts/ci/environments/environment.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { expect, test } from 'vitest';
import { type EnvironmentCommand, environmentDecider } from './environment.decider.ts';

const { decide, evolve, initialState } = environmentDecider;
const projectId = 7;

const created = (environmentId: number, name: string, slug = name): EnvironmentEvent => ({
  type: 'EnvironmentCreated',
  data: { environmentId, projectId, name, slug, externalUrl: null },
});
const stopped = (environmentId: number): EnvironmentEvent => ({
  type: 'EnvironmentStopped',
  data: { environmentId, projectId },
});
const scheduled = (environmentId: number, dueAt: string): EnvironmentEvent => ({
  type: 'EnvironmentDeletionScheduled',
  data: { environmentId, projectId, dueAt },
});

const when = (given: EnvironmentEvent[], command: EnvironmentCommand) =>
  decide(command, given.reduce(evolve, initialState));
function rejected(given: EnvironmentEvent[], command: EnvironmentCommand) {
  try {
    when(given, command);
  } catch (error) {
    if (error instanceof Rejection) return error.body;
    throw error;
  }
  throw new Error('was not rejected');
}
const create = (name: string, externalUrl: string | null = null): EnvironmentCommand => ({
  type: 'CreateEnvironment',
  projectId,
  environmentId: 9,
  name,
  externalUrl,
});

test('an environment needs a name and a URL, and an empty URL counts as none', () => {
  expect(when([], create('staging', 'https://staging.example.com'))).toEqual([
    {
      type: 'EnvironmentCreated',
      data: {
        environmentId: 9,
        projectId,
        name: 'staging',
        slug: 'staging',
        externalUrl: 'https://staging.example.com',
      },
    },
  ]);
  expect(when([], create('staging', ''))).toMatchObject([{ data: { externalUrl: null } }]);
});

const RULE = expect.stringContaining('can contain only letters, digits');
test.each([
  ['', { name: ["can't be blank", RULE] }],
  ['/x', { name: [RULE] }],
  ['x/', { name: [RULE] }],
  ['x\ny', { name: [RULE] }],
  ['x\n', { name: [RULE] }],
  ['ü', { name: [RULE] }],
  ['x'.repeat(256), { name: ['is too long (maximum is 255 characters)'] }],
])('the name %j is rejected', (name, message) => {
  expect(rejected([], create(name))).toEqual({ message });
});

test.each(['$CI_BRANCH', 'review/a.b', 'a b', '$x{y}', 'x'.repeat(255)])(
  'the name %j is accepted',
  (name) => {
    expect(when([], create(name))).toHaveLength(1);
  },
);

test('names are unique, and an old slug stays taken after a rename', () => {
  expect(rejected([created(1, 'staging')], create('staging'))).toMatchObject({
    message: { name: ['has already been taken'] },
  });
  const renamed: EnvironmentEvent = {
    type: 'EnvironmentUpdated',
    data: { environmentId: 1, projectId, changes: { name: 'other' } },
  };
  expect(rejected([created(1, 'staging'), renamed], create('staging'))).toEqual({
    message: { slug: ['has already been taken'] },
  });
  expect(
    when(
      [created(1, 'staging'), { type: 'EnvironmentDeleted', data: { environmentId: 1, projectId } }],
      create('staging'),
    ),
  ).toHaveLength(1);
});

test('an update records only changes, and null clears the URL', () => {
  const given: EnvironmentEvent[] = [
    created(1, 'staging'),
    {
      type: 'EnvironmentUpdated',
      data: { environmentId: 1, projectId, changes: { externalUrl: 'http://a.example' } },
    },
  ];
  const update = (changes: { name?: string; externalUrl?: string | null }): EnvironmentCommand => ({
    type: 'UpdateEnvironment',
    projectId,
    environmentId: 1,
    ...changes,
  });
  expect(when(given, update({ name: 'staging' }))).toEqual([]);
  expect(when(given, update({ name: 'qa', externalUrl: 'http://a.example' }))).toMatchObject([
    { data: { changes: { name: 'qa' } } },
  ]);
  expect(when(given, update({ externalUrl: null }))).toMatchObject([
    { data: { changes: { externalUrl: null } } },
  ]);
  expect(rejected([...given, created(2, 'qa')], update({ name: 'qa' }))).toMatchObject({
    message: { name: ['has already been taken'] },
  });
});

test('a missing environment is not found', () => {
  for (const type of ['UpdateEnvironment', 'StopEnvironment', 'DeleteEnvironment'] as const)
    expect(rejected([], { type, projectId, environmentId: 5 })).toEqual({ message: '404 Not found' });
});

test('a repeated stop records nothing', () => {
  const stop: EnvironmentCommand = { type: 'StopEnvironment', projectId, environmentId: 1 };
  expect(when([created(1, 'a')], stop)).toEqual([stopped(1)]);
  expect(when([created(1, 'a'), stopped(1)], stop)).toEqual([]);
});

test('only stopped, unscheduled review apps are scheduled', () => {
  const given = [
    created(1, 'review/a'),
    stopped(1),
    created(2, 'review/b'),
    created(3, 'staging'),
    stopped(3),
    created(4, 'review/c'),
    stopped(4),
    scheduled(4, '2026-01-01T00:00:00.000Z'),
  ];
  const dueAt = '2026-02-01T00:00:00.000Z';
  expect(
    when(given, {
      type: 'ScheduleReviewAppDeletions',
      projectId,
      environmentIds: [1, 2, 3, 4, 99],
      dueAt,
    }),
  ).toEqual([scheduled(1, dueAt)]);
});

test('only due environments are deleted', () => {
  const given = [
    created(1, 'review/a'),
    scheduled(1, '2026-01-08T00:00:00.000Z'),
    created(2, 'review/b'),
    scheduled(2, '2026-01-09T00:00:00.000Z'),
    created(3, 'review/c'),
  ];
  expect(when(given, { type: 'DeleteDueEnvironments', projectId, now: '2026-01-08T00:00:00.000Z' })).toEqual([
    { type: 'EnvironmentDeleted', data: { environmentId: 1, projectId } },
  ]);
});
