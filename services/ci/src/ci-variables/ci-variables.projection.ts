import { GroupDeleted } from '@forgelog/contracts/admin/groups/group.events.ts';
import {
  type CiVariableEvent,
  ciVariableEvents,
} from '@forgelog/contracts/ci/ci-variables/ci-variable.events.ts';
import { ciVariableLifetime } from '@forgelog/contracts/ci/ci-variables/ci-variable.lifetime.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const ciVariables = defineCollection({
  name: 'ci_variables',
  key: 'id',
  fields: {
    id: 'integer',
    projectId: 'integer?',
    groupId: 'integer?',
    key: 'text',
    variableType: 'text',
    sealedValue: 'text',
    protected: 'boolean',
    masked: 'boolean',
    environmentScope: 'text',
  },
  indexes: [
    ['projectId', 'groupId', 'key'],
    ['groupId', 'key'],
  ],
  holds: { lifetime: ciVariableLifetime },
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(GroupDeleted, ({ groupId }) => eq('groupId', groupId)),
  ],
});

export type CiVariableRow = DocumentOf<typeof ciVariables>;

export const ciVariablesProjection = defineProjection<CiVariableEvent>({
  name: 'ci-variables',
  collections: [ciVariables],
  handles: ciVariableEvents.map(({ type }) => type),
  async project(event, documents) {
    const { variableId: id } = event.data;
    switch (event.type) {
      case 'CiVariableAdded': {
        const { variableId: _, isMaskable: _maskable, ...variable } = event.data;
        return documents.put(ciVariables, { id, ...variable });
      }
      case 'CiVariableChanged': {
        const { isMaskable: _, ...changes } = event.data.changes;
        const row = await documents.get(ciVariables, id);
        if (row) documents.put(ciVariables, { ...row, ...changes });
        return;
      }
      case 'CiVariableRemoved':
        return documents.delete(ciVariables, id);
      default:
        event satisfies never;
    }
  },
});
