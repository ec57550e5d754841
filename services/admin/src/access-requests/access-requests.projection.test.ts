import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { memberAdded, projectDeleted } from '@forgelog/testing/sample-events.ts';
import { test } from 'vitest';
import { groupMemberAdded } from '../testing/group-events.ts';
import {
  accessRequestsProjection,
  groupAccessRequests,
  projectAccessRequests,
} from './access-requests.projection.ts';

const toProject = (projectId: number, userId: number) => ({
  type: 'ProjectAccessRequestCreated',
  data: { projectId, userId },
});
const toGroup = (groupId: number, userId: number) => ({
  type: 'GroupAccessRequestCreated',
  data: { groupId, userId },
});

test('requests stay until they are answered, or their place ends', async () => {
  const denied = { type: 'ProjectAccessRequestDeleted', data: { projectId: 7, userId: 1, reason: 'denied' } };
  await givenEvents(
    accessRequestsProjection,
    ...[toProject(7, 1), toProject(7, 2), toProject(7, 3), toProject(8, 2)],
    ...[denied, memberAdded(7, 2, 30).event, projectDeleted(8).event],
  ).thenDocuments(projectAccessRequests, [{ key: '7-3', projectId: 7, userId: 3 }]);
});

test('requests to groups are their own', async () => {
  await givenEvents(
    accessRequestsProjection,
    ...[toGroup(7, 1), toGroup(7, 2), toGroup(9, 1), toProject(7, 3)],
    ...[groupMemberAdded(7, 2, 30), { type: 'GroupDeleted', data: { groupId: 9 } }],
  ).thenDocuments(groupAccessRequests, [{ key: '7-1', groupId: 7, userId: 1 }]);
});
