import { GroupDeleted } from '../../admin/groups/group.events.ts';
import { UserDeleted } from '../../admin/users/user.events.ts';
import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import { NotificationSettingChanged, NotificationSettingChosen } from './notification-setting.events.ts';

export const notificationSettingLifetime = defineLifetime({
  kind: 'NotificationSetting',
  id: ['userId', 'place'],
  begins: [begins(NotificationSettingChosen)],
  changes: changedBy(NotificationSettingChanged),
  ends: [
    endsWith(UserDeleted, ['userId']),
    endsWith(ProjectDeleted, ['projectId']),
    endsWith(GroupDeleted, ['groupId']),
  ],
});
