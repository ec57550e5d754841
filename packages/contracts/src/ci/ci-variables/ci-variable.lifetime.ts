import { GroupDeleted } from '../../admin/groups/group.events.ts';
import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import { CiVariableAdded, CiVariableChanged, CiVariableRemoved } from './ci-variable.events.ts';

export const ciVariableLifetime = defineLifetime({
  kind: 'CiVariable',
  id: ['variableId'],
  begins: [begins(CiVariableAdded)],
  changes: changedBy(CiVariableChanged),
  ends: [
    endsWith(CiVariableRemoved, ['variableId']),
    endsWith(ProjectDeleted, ['projectId']),
    endsWith(GroupDeleted, ['groupId']),
  ],
});
