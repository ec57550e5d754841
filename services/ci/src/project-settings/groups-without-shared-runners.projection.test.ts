import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { test } from 'vitest';
import {
  groupsWithoutSharedRunners,
  groupsWithoutSharedRunnersProjection,
} from './groups-without-shared-runners.projection.ts';

const OFF = 'disabled_and_unoverridable';
const updated = (groupId: number, settings?: object) => ({
  type: 'GroupUpdated',
  data: { groupId, changes: settings ? { settings } : { name: 'Other' }, previous: null },
});

test('a group is there from its setting on, until it changes or ends', async () => {
  await givenEvents(
    groupsWithoutSharedRunnersProjection,
    ...([
      { type: 'GroupCreated', data: { groupId: 5, settings: {} } },
      ...[5, 6, 7, 8].map((id) => updated(id, { shared_runners_setting: OFF })),
      ...[updated(5), updated(6, { shared_runners_setting: 'enabled' })],
      updated(7, { shared_runners_setting: 'disabled_with_override' }),
      { type: 'GroupDeleted', data: { groupId: 8 } },
    ] as never[]),
  ).thenDocuments(groupsWithoutSharedRunners, [{ groupId: 5 }]);
});
