import { begins, defineLifetime, endsWith } from '../../lifetime.ts';
import { GroupDeleted } from '../groups/group.events.ts';
import { GroupGroupLinkCreated, GroupGroupLinkDeleted } from './group-group-link.events.ts';

export const groupGroupLinkLifetime = defineLifetime({
  kind: 'GroupGroupLink',
  id: ['groupId', 'sharedWithGroupId'],
  begins: [begins(GroupGroupLinkCreated)],
  ends: [
    endsWith(GroupGroupLinkDeleted, ['groupId', 'sharedWithGroupId']),
    endsWith(GroupDeleted, ['groupId'], { announcedBy: GroupGroupLinkDeleted }),
    endsWith(GroupDeleted, { sharedWithGroupId: 'groupId' }, { announcedBy: GroupGroupLinkDeleted }),
  ],
});
