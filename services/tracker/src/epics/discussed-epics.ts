import { Rejection } from '@forgelog/contracts/errors.ts';
import { epicDiscussions, epicNotes } from '@forgelog/contracts/tracker/epics/epic-discussion.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import type { Discussed, DiscussedKind } from '../targets/target.ts';
import { targetKey } from '../targets/target-ref.ts';
import { mayRead } from './epic.access.ts';
import { epics } from './epics.projection.ts';

type DiscussedEpic = Extract<Discussed, { type: 'Epic' }>;

/** The epic that the path of a request names by its id. @throws record_not_found */
async function requireDiscussedEpic(
  { readStore }: Pick<ServicePorts, 'readStore'>,
  { params, group: { group, level }, principal }: ApiRequest,
): Promise<DiscussedEpic> {
  const where = and(eq('id', params.epic_id as number), eq('groupId', group.id));
  const [row] = await readStore.find(epics, { where, limit: 1 });
  if (!row || !mayRead(row, level, principal)) throw new Rejection('record_not_found');
  const { id, iid, groupId, authorId, confidential } = row;
  const ref = { groupId, type: 'Epic', id, iid } as const;
  return {
    ...{ ...ref, key: targetKey(ref), level, discussionLocked: false },
    ...{ confidential, authorId, assigneeIds: [] },
  };
}

/** Threads on it are not resolved, and what is said of it commands nothing. */
export const discussedEpics: DiscussedKind<DiscussedEpic> = {
  find: requireDiscussedEpic,
  discussions: epicDiscussions,
  notes: epicNotes,
};
