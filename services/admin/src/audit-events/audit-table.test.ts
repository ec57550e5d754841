import { events } from '@forgelog/contracts/events.ts';
import { expect, test } from 'vitest';
import { auditRules, notAudited } from './audit-table.ts';

test('every event of the catalogue is audited, or not audited with a reason', () => {
  const decided = [...auditRules.map(({ type }) => type), ...Object.keys(notAudited)];
  expect(decided.toSorted()).toEqual(events.map(({ type }) => type).toSorted());
  for (const reason of Object.values(notAudited)) expect(reason).toMatch(/\w+ \w+/);
});
