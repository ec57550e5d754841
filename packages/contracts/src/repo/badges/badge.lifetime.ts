import { GroupDeleted } from '../../admin/groups/group.events.ts';
import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../projects/project.events.ts';
import { BadgeCreated, BadgeDeleted, BadgeUpdated } from './badge.events.ts';

export const badgeLifetime = defineLifetime({
  kind: 'Badge',
  id: ['badgeId'],
  begins: [begins(BadgeCreated)],
  changes: changedBy(BadgeUpdated),
  ends: [
    endsWith(BadgeDeleted, ['badgeId']),
    endsWith(ProjectDeleted, ['projectId']),
    endsWith(GroupDeleted, ['groupId']),
  ],
});
