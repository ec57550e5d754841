import { GroupDeleted } from '../../admin/groups/group.events.ts';
import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { EpicClosed, EpicDeleted, EpicNested, EpicOpened, EpicReopened, EpicUpdated } from './epic.events.ts';

export const epicLifetime = defineLifetime({
  kind: 'Epic',
  id: ['epicId'],
  begins: [begins(EpicOpened, { fixed: { state: 'opened', parentId: null, parentPosition: null } })],
  changes: changedBy(EpicUpdated, EpicClosed, EpicReopened, EpicNested),
  ends: [endsWith(EpicDeleted, ['epicId']), endsWith(GroupDeleted, ['groupId'])],
});
