import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../projects/project.events.ts';
import { PushRuleCreated, PushRuleDeleted, PushRuleUpdated } from './push-rule.events.ts';

export const pushRuleLifetime = defineLifetime({
  kind: 'PushRule',
  id: ['pushRuleId'],
  begins: [begins(PushRuleCreated)],
  changes: changedBy(PushRuleUpdated),
  ends: [endsWith(PushRuleDeleted, ['pushRuleId']), endsWith(ProjectDeleted, ['projectId'])],
});
