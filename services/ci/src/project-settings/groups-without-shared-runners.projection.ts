import {
  GroupCreated,
  GroupDeleted,
  type GroupStreamEvent,
  GroupUpdated,
} from '@forgelog/contracts/admin/groups/group.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq, oneOf } from '@forgelog/eventing/query.ts';
import { defineCollection, endsWith, type ReadStore } from '@forgelog/eventing/read-store.ts';

/** Groups that keep shared runners from all projects below them, whatever those say. */
export const groupsWithoutSharedRunners = defineCollection({
  name: 'ci_groups_without_shared_runners',
  key: 'groupId',
  fields: { groupId: 'integer' },
  indexes: [],
  ownedBy: [endsWith(GroupDeleted, ({ groupId }) => eq('groupId', groupId))],
});

type Handled = Extract<GroupStreamEvent, { type: 'GroupCreated' | 'GroupUpdated' }>;

export const groupsWithoutSharedRunnersProjection = defineProjection<Handled>({
  name: 'ci-groups-without-shared-runners',
  collections: [groupsWithoutSharedRunners],
  handles: [GroupCreated.type, GroupUpdated.type],
  async project({ type, data }, documents) {
    const { groupId } = data;
    const settings = type === 'GroupCreated' ? data.settings : data.changes.settings;
    const setting = settings?.shared_runners_setting;
    if (setting === 'disabled_and_unoverridable') documents.put(groupsWithoutSharedRunners, { groupId });
    else if (setting !== undefined) documents.delete(groupsWithoutSharedRunners, groupId);
  },
});

export async function groupsKeepSharedRunnersOut(
  readStore: ReadStore,
  groupIds: readonly number[],
): Promise<boolean> {
  const where = oneOf('groupId', groupIds);
  return (await readStore.find(groupsWithoutSharedRunners, { where, limit: 1 })).length > 0;
}
