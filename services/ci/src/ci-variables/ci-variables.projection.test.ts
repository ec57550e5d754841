import type { CiVariableEvent } from '@forgelog/contracts/ci/ci-variables/ci-variable.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectDeleted } from '@forgelog/testing/sample-events.ts';
import { test } from 'vitest';
import { ciVariables, ciVariablesProjection } from './ci-variables.projection.ts';

const attributes = {
  variableType: 'env_var',
  protected: false,
  masked: true,
  environmentScope: '*',
} as const;
const added = (variableId: number, place: { projectId?: number; groupId?: number }): CiVariableEvent => ({
  type: 'CiVariableAdded',
  data: {
    ...{ variableId, projectId: null, groupId: null, key: 'KEY', ...place },
    ...{ ...attributes, sealedValue: '1.a', isMaskable: true },
  },
});
const ids = { variableId: 1, projectId: 7, groupId: null, key: 'KEY' };

test('a variable is stored as it was changed last, with its value sealed', async () => {
  await givenEvents(ciVariablesProjection, added(1, { projectId: 7 }), {
    type: 'CiVariableChanged',
    data: {
      ...ids,
      changes: { environmentScope: 'production', sealedValue: '1.b', isMaskable: true },
      previous: { environmentScope: '*' },
      withheldChanges: ['value'],
    },
  }).thenDocuments(ciVariables, [
    {
      ...{ id: 1, projectId: 7, groupId: null, key: 'KEY', sealedValue: '1.b' },
      ...{ ...attributes, environmentScope: 'production' },
    },
  ]);
});

test('a variable goes by itself, with its project and with its group', async () => {
  const variables = [
    added(1, { projectId: 7 }),
    added(2, { projectId: 7 }),
    added(3, { groupId: 7 }),
    added(4, { groupId: 8 }),
    added(5, {}),
  ];
  await givenEvents(
    ciVariablesProjection,
    ...variables,
    { type: 'CiVariableRemoved', data: ids },
    projectDeleted(7).event,
    { type: 'GroupDeleted', data: { groupId: 8, parentId: null, path: 'g', fullPath: 'g' } },
  ).thenDocuments(ciVariables, [{ id: 3 }, { id: 5 }]);
});
