import type { RunnerEvent } from '@forgelog/contracts/ci/runners/runner.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { type RunnerCommand, type RunnerPlace, runnerDecider } from './runner.decider.ts';

const attributes = {
  ...{ description: 'Build machine', active: true, tags: ['docker'], runUntagged: false, locked: false },
  ...{ accessLevel: 'not_protected' as const, maximumTimeout: null },
};
const ofProject: RunnerPlace = { runnerType: 'project_type', groupId: null, projectId: 7 };
const ofGroup: RunnerPlace = { runnerType: 'group_type', groupId: 5, projectId: null };
const ofInstance: RunnerPlace = { runnerType: 'instance_type', groupId: null, projectId: null };

const registered = (place: RunnerPlace, more: Partial<typeof attributes> = {}): RunnerEvent => ({
  type: 'RunnerRegistered',
  data: { runnerId: 3, ...place, ...attributes, ...more, tokenSha256: 'ab' },
});
const enabled = (projectId: number): RunnerEvent => ({
  type: 'RunnerEnabledForProject',
  data: { runnerId: 3, projectId, reason: projectId === ofProject.projectId ? 'registered' : 'enabled' },
});
const disabled = (projectId: number, reason: 'disabled' | 'removed' | 'deleted'): RunnerEvent => ({
  type: 'RunnerDisabledForProject',
  data: { runnerId: 3, projectId, reason },
});
const removed = (place: RunnerPlace, reason: 'removed' | 'unregistered' | 'deleted'): RunnerEvent => ({
  type: 'RunnerRemoved',
  data: { runnerId: 3, ...place, reason },
});
const register = (place: RunnerPlace, more: Partial<typeof attributes> = {}): RunnerCommand => ({
  type: 'RegisterRunner',
  runnerId: 3,
  place,
  attributes: { ...attributes, ...more },
  tokenSha256: 'ab',
});
const enable = (projectId: number, evenIfLocked = false): RunnerCommand => ({
  ...{ type: 'EnableRunner', runnerId: 3, projectId, evenIfLocked },
});
const remove = (evenIfShared: boolean): RunnerCommand => ({
  ...{ type: 'RemoveRunner', runnerId: 3, reason: 'removed', evenIfShared },
});
const inOne = [registered(ofProject), enabled(7)];
const inTwo = [...inOne, enabled(8)];

test('a runner of a project works for it from the beginning, and is registered once', () => {
  given(runnerDecider)
    .when(register(ofProject))
    .thenEvents(...inOne);
  given(runnerDecider).when(register(ofGroup)).thenEvents(registered(ofGroup));
  given(runnerDecider, registered(ofGroup)).when(register(ofGroup)).thenRejected('conflict');
});

test('a runner that could get no job, or that gives up at once, is refused with all reasons', () => {
  given(runnerDecider)
    .when(register(ofInstance, { tags: [], maximumTimeout: 599 as never }))
    .thenRejected('validation_failed', {
      message: {
        tags_list: ['can not be empty when runner is not allowed to pick untagged jobs'],
        maximum_timeout: ['needs to be at least 10 minutes'],
      },
    });
  given(runnerDecider, ...inOne)
    .when({ type: 'UpdateRunner', runnerId: 3, changes: { tags: [] } })
    .thenRejected('validation_failed');
});

test('an update records only changes, with their old values', () => {
  given(runnerDecider, ...inOne)
    .when({ type: 'UpdateRunner', runnerId: 3, changes: { active: false, description: 'Build machine' } })
    .thenEvents({
      type: 'RunnerUpdated',
      data: { runnerId: 3, ...ofProject, changes: { active: false }, previous: { active: true } },
    });
  given(runnerDecider, ...inOne)
    .when({ type: 'UpdateRunner', runnerId: 3, changes: { tags: ['docker'] } })
    .thenEvents();
});

test('a runner of a project works for further ones, unless it is locked', () => {
  given(runnerDecider, ...inOne)
    .when(enable(8))
    .thenEvents(enabled(8));
  given(runnerDecider, ...inOne)
    .when(enable(7))
    .thenRejected('validation_failed', { message: { runner: ['has already been taken'] } });
  const locked = [registered(ofProject, { locked: true }), enabled(7)];
  given(runnerDecider, ...locked)
    .when(enable(8))
    .thenRejected('forbidden', { message: '403 Forbidden - Runner is locked' });
  given(runnerDecider, ...locked)
    .when(enable(8, true))
    .thenEvents(enabled(8));
  given(runnerDecider, registered(ofInstance))
    .when(enable(8))
    .thenRejected('forbidden', { message: '403 Forbidden - Runner is shared' });
  given(runnerDecider, registered(ofGroup))
    .when(enable(8))
    .thenRejected('forbidden', { message: '403 Forbidden - Runner is a group runner' });
});

test('a runner leaves a project, but not its only one', () => {
  const leave = (projectId: number): RunnerCommand => ({ type: 'DisableRunner', runnerId: 3, projectId });
  given(runnerDecider, ...inTwo)
    .when(leave(7))
    .thenEvents(disabled(7, 'disabled'));
  given(runnerDecider, ...inOne)
    .when(leave(7))
    .thenRejected('forbidden');
  given(runnerDecider, ...inOne)
    .when(leave(9))
    .thenRejected('not_found');
});

test('a runner is removed once, and leaves its projects before', () => {
  given(runnerDecider, ...inOne)
    .when(remove(false))
    .thenEvents(disabled(7, 'removed'), removed(ofProject, 'removed'));
  given(runnerDecider, ...inTwo)
    .when(remove(false))
    .thenRejected('forbidden', { message: '403 Forbidden - Runner associated with more than one project' });
  given(runnerDecider, ...inTwo)
    .when(remove(true))
    .thenEvents(disabled(7, 'removed'), disabled(8, 'removed'), removed(ofProject, 'removed'));
  for (const command of [remove(true), enable(8), register(ofGroup)])
    given(runnerDecider, registered(ofGroup), removed(ofGroup, 'removed'))
      .when(command)
      .thenRejected(command.type === 'RegisterRunner' ? 'conflict' : 'not_found');
});

test('a runner goes with its last project', () => {
  const leave = { type: 'LeaveDeletedProject', runnerId: 3, projectId: 7 } as const;
  given(runnerDecider, ...inTwo)
    .when(leave)
    .thenEvents(disabled(7, 'deleted'));
  given(runnerDecider, ...inOne)
    .when(leave)
    .thenEvents(disabled(7, 'deleted'), removed(ofProject, 'deleted'));
  given(runnerDecider, ...inTwo, disabled(7, 'deleted'))
    .when(leave)
    .thenEvents();
});
