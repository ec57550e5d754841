import { expect, test } from 'vitest';
import { auditRules } from './audit.rules.ts';

const rules = auditRules();
const entry = (type: string, reason: string) =>
  rules.get(type)!.describe({ data: { runnerId: 3, projectId: 7, reason } }, {} as never);

test.each([
  ['RunnerEnabledForProject', 'enabled', 'Enabled runner 3'],
  ['RunnerDisabledForProject', 'disabled', 'Disabled runner 3'],
])('%s by itself is audited', async (type, reason, message) => {
  expect(await entry(type, reason)).toMatchObject({ entity: { type: 'Project', id: 7 }, message });
});

test.each([
  ['RunnerEnabledForProject', 'registered'],
  ['RunnerDisabledForProject', 'removed'],
  ['RunnerDisabledForProject', 'deleted'],
])('%s with the reason %s is part of another change', async (type, reason) => {
  expect(await entry(type, reason)).toBeUndefined();
});
