import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import { GroupDeleted } from '../groups/group.events.ts';
import { UserDeleted } from '../users/user.events.ts';
import {
  CustomAttributeCreated,
  CustomAttributeDeleted,
  CustomAttributeUpdated,
} from './custom-attribute.events.ts';

export const customAttributeLifetime = defineLifetime({
  kind: 'CustomAttribute',
  id: ['customAttributeId'],
  begins: [begins(CustomAttributeCreated)],
  changes: changedBy(CustomAttributeUpdated),
  ends: [
    endsWith(CustomAttributeDeleted, ['customAttributeId']),
    endsWith(UserDeleted, ['userId']),
    endsWith(GroupDeleted, ['groupId']),
    endsWith(ProjectDeleted, ['projectId']),
  ],
});
