import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { type PushRuleEvent, pushRuleEvents } from '@forgelog/contracts/repo/push-rules/push-rule.events.ts';
import { pushRuleLifetime } from '@forgelog/contracts/repo/push-rules/push-rule.lifetime.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const pushRules = defineCollection({
  name: 'push_rules',
  key: 'projectId',
  fields: {
    projectId: 'integer',
    id: 'integer',
    commitMessageRegex: 'text?',
    commitMessageNegativeRegex: 'text?',
    branchNameRegex: 'text?',
    authorEmailRegex: 'text?',
    fileNameRegex: 'text?',
    maxFileSize: 'integer',
    preventSecrets: 'boolean',
    denyDeleteTag: 'boolean',
    memberCheck: 'boolean',
    commitCommitterCheck: 'boolean',
    rejectUnsignedCommits: 'boolean',
    createdAt: 'text',
  },
  indexes: [],
  holds: { lifetime: pushRuleLifetime },
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

export type PushRuleRow = DocumentOf<typeof pushRules>;

export const pushRulesProjection = defineProjection<PushRuleEvent>({
  name: 'push-rules',
  collections: [pushRules],
  handles: pushRuleEvents.map(({ type }) => type),
  async project(event, documents) {
    const { projectId } = event.data;
    switch (event.type) {
      case 'PushRuleCreated': {
        const { pushRuleId: id, ...rules } = event.data;
        return documents.put(pushRules, { ...rules, id, createdAt: event.time });
      }
      case 'PushRuleUpdated': {
        const row = await documents.get(pushRules, projectId);
        if (row) documents.put(pushRules, { ...row, ...event.data.changes });
        return;
      }
      case 'PushRuleDeleted':
        return documents.delete(pushRules, projectId);
      default:
        event satisfies never;
    }
  },
});
