import { described, int, required } from '../../params.ts';
import { groupId } from '../../shared/common.params.ts';
import type { DiscussedContract } from '../targets/target.ts';

const params = {
  id: groupId,
  epic_id: described(required(int()), 'Id of the epic, not its number in the group'),
};

/** An epic is discussed by its id, and is no target of a project: it is in a group. */
export const discussedEpic = {
  id: 'epic',
  name: 'an epic',
  path: '/groups/:id/epics/:epic_id',
  params,
  feature: null,
  signedIn: false,
  tier: 'ultimate',
} as const satisfies DiscussedContract;
