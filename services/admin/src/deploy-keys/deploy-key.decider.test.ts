import type { DeployKeyEvent } from '@forgelog/contracts/admin/deploy-keys/deploy-key.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { type DeployKeyCommand, deployKeyDecider } from './deploy-key.decider.ts';

const ids = { deployKeyId: 5, fingerprint: 'ab'.repeat(32) };
const facts = { title: 'Machine', key: 'ssh-ed25519 AAAA machine', keyIds: ['a', 'b'] };
const create = {
  type: 'CreateDeployKey',
  ...{ ...ids, ...facts, projectId: 7, canPush: true },
} as const satisfies DeployKeyCommand;
const created: DeployKeyEvent = { type: 'DeployKeyCreated', data: { ...ids, ...facts, isPublic: false } };
const enabled = (projectId: number, canPush = true): DeployKeyEvent => ({
  type: 'DeployKeyEnabledForProject',
  data: { ...ids, projectId, canPush },
});
const disabled = (projectId: number): DeployKeyEvent => ({
  type: 'DeployKeyDisabledForProject',
  data: { ...ids, projectId },
});
const ofAll: DeployKeyEvent = { type: 'DeployKeyCreated', data: { ...ids, ...facts, isPublic: true } };
const deleted: DeployKeyEvent = { type: 'DeployKeyDeleted', data: ids };
const disable = { type: 'DisableDeployKey', ...ids, projectId: 7 } as const;

test('a key of a project begins with it, and one of the instance with none', () => {
  given(deployKeyDecider).when(create).thenEvents(created, enabled(7));
  given(deployKeyDecider)
    .when({ ...create, projectId: null })
    .thenEvents(ofAll);
  given(deployKeyDecider, created, enabled(7))
    .when(create)
    .thenRejected('validation_failed', {
      message: { 'deploy_key.fingerprint': ['has already been taken'] },
    });
  given(deployKeyDecider)
    .when({ ...create, title: ' ' })
    .thenRejected('validation_failed', { message: { title: ["can't be blank"] } });
});

test('the last project that gives up a key takes it along, unless each may enable it', () => {
  given(deployKeyDecider, created, enabled(7), enabled(8)).when(disable).thenEvents(disabled(7));
  given(deployKeyDecider, created, enabled(7)).when(disable).thenEvents(disabled(7), deleted);
  given(deployKeyDecider, ofAll, enabled(7)).when(disable).thenEvents(disabled(7));
  given(deployKeyDecider, created, enabled(8)).when(disable).thenRejected('not_found');
  given(deployKeyDecider, created, enabled(7), disabled(7), deleted).when(disable).thenRejected('not_found');
  given(deployKeyDecider, created, enabled(7), disabled(7), deleted)
    .when({ ...create, deployKeyId: 6 })
    .thenEvents(
      { ...created, data: { ...created.data, deployKeyId: 6 } } as DeployKeyEvent,
      { ...enabled(7), data: { ...enabled(7).data, deployKeyId: 6 } } as DeployKeyEvent,
    );
});

test('a key is enabled once in a project, and only as long as it is there', () => {
  const enable = { type: 'EnableDeployKey', ...ids, projectId: 8, canPush: false } as const;
  given(deployKeyDecider, created, enabled(7)).when(enable).thenEvents(enabled(8, false));
  given(deployKeyDecider, created, enabled(8)).when(enable).thenEvents();
  given(deployKeyDecider).when(enable).thenRejected('not_found');
  given(deployKeyDecider, created, enabled(7))
    .when({ ...enable, deployKeyId: 6 })
    .thenRejected('not_found');
});

test('title and access change, each where it is another', () => {
  const change = { type: 'ChangeDeployKey', ...ids, projectId: 7 } as const;
  given(deployKeyDecider, created, enabled(7))
    .when({ ...change, title: 'Robot', canPush: false })
    .thenEvents(
      {
        type: 'DeployKeyUpdated',
        data: { ...ids, projectId: 7, changes: { title: 'Robot' }, previous: { title: 'Machine' } },
      },
      {
        type: 'DeployKeyAccessUpdated',
        data: { ...ids, projectId: 7, changes: { canPush: false }, previous: { canPush: true } },
      },
    );
  given(deployKeyDecider, created, enabled(7))
    .when({ ...change, title: 'Machine', canPush: true })
    .thenEvents();
  given(deployKeyDecider, created, enabled(7))
    .when({ ...change, title: ' ', canPush: undefined })
    .thenRejected('validation_failed');
  given(deployKeyDecider, created, enabled(8))
    .when({ ...change, title: 'Robot', canPush: undefined })
    .thenRejected('not_found');
});
