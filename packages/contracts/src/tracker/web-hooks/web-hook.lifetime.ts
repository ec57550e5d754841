import { GroupDeleted } from '../../admin/groups/group.events.ts';
import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import {
  WebHookCreated,
  WebHookDeleted,
  WebHookDisabled,
  WebHookEnabled,
  WebHookUpdated,
} from './web-hook.events.ts';

export const webHookLifetime = defineLifetime({
  kind: 'WebHook',
  id: ['webHookId'],
  begins: [begins(WebHookCreated, { fixed: { disabled: false } })],
  changes: changedBy(WebHookUpdated, WebHookDisabled, WebHookEnabled),
  ends: [
    endsWith(WebHookDeleted, ['webHookId']),
    endsWith(ProjectDeleted, ['projectId']),
    endsWith(GroupDeleted, ['groupId']),
  ],
});
