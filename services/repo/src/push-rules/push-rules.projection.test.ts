import type { PushRuleEvent } from '@forgelog/contracts/repo/push-rules/push-rule.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectDeleted } from '@forgelog/testing/sample-events.ts';
import { test } from 'vitest';
import { pushRules, pushRulesProjection } from './push-rules.projection.ts';

const created = (projectId: number): PushRuleEvent => ({
  type: 'PushRuleCreated',
  data: {
    ...{ pushRuleId: projectId + 100, projectId, maxFileSize: 5 },
    ...{ commitMessageRegex: 'x', commitMessageNegativeRegex: null, branchNameRegex: null },
    ...{ authorEmailRegex: null, fileNameRegex: null, preventSecrets: true, denyDeleteTag: false },
    ...{ memberCheck: false, commitCommitterCheck: false, rejectUnsignedCommits: false },
  },
});

test('a rule is stored as it was changed last, and deleted by itself and with its project', async () => {
  const ids = { pushRuleId: 107, projectId: 7 };
  await givenEvents(pushRulesProjection, created(7), {
    type: 'PushRuleUpdated',
    data: { ...ids, changes: { maxFileSize: 9 }, previous: { maxFileSize: 5 } },
  }).thenDocuments(pushRules, [{ projectId: 7, id: 107, maxFileSize: 9, preventSecrets: true }]);
  await givenEvents(
    pushRulesProjection,
    ...[created(7), created(8), created(9)],
    { type: 'PushRuleDeleted', data: ids },
    projectDeleted(9).event,
  ).thenDocuments(pushRules, [{ projectId: 8 }]);
});
