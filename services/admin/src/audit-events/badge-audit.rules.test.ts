import { expect, test } from 'vitest';
import { auditRules } from './audit.rules.ts';

const rules = auditRules();
const entry = (type: string, data: object) => rules.get(type)!.describe({ data, metadata: {} }, {} as never);

test('a badge belongs to its project or its group', async () => {
  const target = { type: 'Badge', id: 3, details: 'Badge 3' };
  expect(await entry('BadgeCreated', { badgeId: 3, projectId: 7, groupId: null })).toEqual({
    ...{ entity: { type: 'Project', id: 7 }, target, message: 'Created badge 3', add: 'badge' },
  });
  expect(await entry('BadgeDeleted', { badgeId: 3, projectId: null, groupId: 8 })).toEqual({
    ...{ entity: { type: 'Group', id: 8 }, target, message: 'Deleted badge 3' },
  });
  const changed = { badgeId: 3, projectId: 7, groupId: null, changes: { name: 'built' }, previous: {} };
  expect(await entry('BadgeUpdated', changed)).toMatchObject({ message: 'Changed badge 3: name' });
});
