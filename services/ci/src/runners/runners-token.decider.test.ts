import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { runnersTokenDecider } from './runners-token.decider.ts';

test('each reset counts one more', () => {
  const command = { type: 'ResetRunnersToken', place: { kind: 'group', id: 5 } } as const;
  const reset = (resets: number) =>
    ({ type: 'RunnersTokenReset', data: { projectId: null, groupId: 5, resets } }) as const;
  given(runnersTokenDecider).when(command).thenEvents(reset(1));
  given(runnersTokenDecider, reset(1)).when(command).thenEvents(reset(2));
});
