import type { DeployTokenEvent } from '@forgelog/contracts/admin/deploy-tokens/deploy-token.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { type DeployTokenCommand, deployTokenDecider } from './deploy-token.decider.ts';

const ids = { deployTokenId: 5, projectId: 7, groupId: null };
const token = { name: 'Deployment', expiresAt: null, tokenSha256: 'ab' };
const create = {
  type: 'CreateDeployToken',
  ...ids,
  ...token,
  username: null,
  scopes: ['read_repository'],
} as const satisfies DeployTokenCommand;
const created: DeployTokenEvent = {
  type: 'DeployTokenCreated',
  data: { ...ids, ...token, username: 'gitlab+deploy-token-5', scopes: ['read_repository'] },
};
const deleted: DeployTokenEvent = { type: 'DeployTokenDeleted', data: ids };
const remove = { type: 'DeleteDeployToken', ...ids } as const;

test('a token has each scope once, and a name to sign in with that tells its id', () => {
  given(deployTokenDecider)
    .when({ ...create, scopes: ['read_repository', 'read_repository'] })
    .thenEvents(created);
  given(deployTokenDecider)
    .when({ ...create, username: 'machine.1+a_b-c' })
    .thenEvents({
      ...created,
      data: { ...created.data, username: 'machine.1+a_b-c' },
    } as DeployTokenEvent);
  given(deployTokenDecider, created).when(create).thenRejected('conflict');
});

test('all that is wrong with a token is said at once', () => {
  const username = ["can contain only letters, digits, '_', '-', '+', and '.'"];
  given(deployTokenDecider)
    .when({ ...create, name: ' ', scopes: [], username: 'a b' })
    .thenRejected('validation_failed', {
      message: { name: ["can't be blank"], scopes: ["can't be blank"], username },
    });
  for (const wrong of ['a:b', 'ä', 'a\n', 'a/b'])
    given(deployTokenDecider)
      .when({ ...create, username: wrong })
      .thenRejected('validation_failed', { message: { username } });
  given(deployTokenDecider)
    .when({ ...create, username: 'gitlab-ci-token' })
    .thenRejected('validation_failed', { message: { username: ['is reserved for the tokens of jobs'] } });
});

test('a token is deleted once, and in its own place alone', () => {
  given(deployTokenDecider, created).when(remove).thenEvents(deleted);
  given(deployTokenDecider, created, deleted).when(remove).thenRejected('record_not_found');
  given(deployTokenDecider).when(remove).thenRejected('record_not_found');
  for (const place of [
    { projectId: 8, groupId: null },
    { projectId: null, groupId: 7 },
  ])
    given(deployTokenDecider, created)
      .when({ ...remove, ...place })
      .thenRejected('record_not_found');
});
