import { GroupDeleted } from '../../admin/groups/group.events.ts';
import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import { LabelCreated, LabelDeleted, LabelUpdated } from './label.events.ts';

export const labelLifetime = defineLifetime({
  kind: 'Label',
  id: ['labelId'],
  begins: [begins(LabelCreated)],
  changes: changedBy(LabelUpdated),
  ends: [
    endsWith(LabelDeleted, ['labelId']),
    endsWith(ProjectDeleted, ['projectId']),
    endsWith(GroupDeleted, ['groupId']),
  ],
});
