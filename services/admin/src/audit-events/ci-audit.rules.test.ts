import { expect, test } from 'vitest';
import { auditRules } from './audit.rules.ts';

const rules = auditRules();
const entry = (type: string, data: object) =>
  rules.get(type)!.describe({ data, metadata: { actorId: 9, causationId: null } }, {} as never);
const ids = { variableId: 3, projectId: 7, groupId: null, key: 'TOKEN' };
const secret = { sealedValue: '1.sealed', isMaskable: true };

test('a variable belongs to its project, its group, or whoever changed one of the instance', async () => {
  const target = { type: 'CiVariable', id: 3, details: 'TOKEN' };
  const entityOf = async (place: object) => (await entry('CiVariableRemoved', { ...ids, ...place }))!.entity;
  expect(await entry('CiVariableAdded', { ...ids, ...secret })).toEqual({
    ...{ entity: { type: 'Project', id: 7 }, target },
    ...{ message: 'Added CI variable TOKEN', add: 'ci_variable' },
  });
  expect(await entityOf({ projectId: null, groupId: 8 })).toEqual({ type: 'Group', id: 8 });
  expect(await entityOf({ projectId: null })).toEqual({ type: 'User', id: 9 });
});

test('a changed value is named and not told', async () => {
  const told = await entry('CiVariableChanged', {
    ...{ ...ids, changes: { masked: true, ...secret }, previous: {}, withheldChanges: ['value'] },
  });
  expect(told).toMatchObject({
    message: 'Changed CI variable TOKEN: masked, value',
    change: 'masked, value',
  });
  expect(JSON.stringify(told)).not.toContain('sealed');
});

test('variables of a pipeline schedule are named and not told', async () => {
  const sealedVariables = [{ key: 'LEVEL', variableType: 'env_var', value: '1.sealed' }];
  const told = await entry('PipelineScheduleUpdated', {
    ...{ pipelineScheduleId: 3, projectId: 7, changes: { sealedVariables }, previous: {} },
  });
  expect(told).toMatchObject({ message: 'Changed pipeline schedule 3: variables', change: 'variables' });
  expect(JSON.stringify(told)).not.toContain('sealed');
});
