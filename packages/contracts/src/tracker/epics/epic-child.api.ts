import { z } from 'zod';
import { atLeastOne, defineEndpoint, group } from '../../endpoint.ts';
import { bool, described, int, required, text } from '../../params.ts';
import { groupId } from '../../shared/common.params.ts';
import { epicView } from './epic.api.ts';
import { MOST_REORDERED } from './epic-issue.api.ts';

/** Levels of epics within epics. */
export const MOST_EPIC_LEVELS = 7;

const common = { service: 'tracker', tier: 'ultimate', spec: 'api-v4 L355' } as const;
const writes = { ...common, access: group('reporter') } as const;
const path = '/groups/:id/epics/:epic_iid/epics';
const epic = { id: groupId, epic_iid: described(required(int()), 'Number of the epic in its group') };
const one = {
  ...epic,
  child_epic_id: described(required(int()), 'Id of the other epic, not its number in its group'),
};
const neighbour = (where: string) =>
  described(int(), `Id of the epic there that is to be ${where} this one`, { examples: [84] });

export const listEpicChildren = defineEndpoint({
  ...common,
  access: group('anyone'),
  id: 'epic-child-list',
  method: 'GET',
  path,
  summary:
    'Epics that are parts of an epic, as far as the caller may see them, in the order that people gave them',
  params: epic,
  pagination: 'offset',
  response: z.array(epicView),
});

export const createEpicChild = defineEndpoint({
  ...writes,
  id: 'epic-child-create',
  method: 'POST',
  path,
  summary: 'Open an epic as a part of another one',
  params: {
    ...epic,
    title: described(required(text()), 'Title of the epic', { examples: ['Cross the ocean'] }),
    confidential: described(bool(), 'Whether only members from reporter on see it'),
  },
  status: 201,
  response: epicView,
});

export const assignEpicChild = defineEndpoint({
  ...writes,
  id: 'epic-child-assign',
  method: 'POST',
  path: `${path}/:child_epic_id`,
  summary: 'Make an epic of the group, or of a group below it, a part of an epic',
  params: one,
  status: 201,
  response: epicView,
});

export const reorderEpicChild = defineEndpoint({
  ...writes,
  id: 'epic-child-reorder',
  method: 'PUT',
  path: `${path}/:child_epic_id`,
  summary: `Give a part of an epic another place; answers with the first ${MOST_REORDERED}`,
  params: { ...one, move_before_id: neighbour('before'), move_after_id: neighbour('behind') },
  rules: [atLeastOne('move_before_id', 'move_after_id')],
  response: z.array(epicView),
});

export const removeEpicChild = defineEndpoint({
  ...writes,
  id: 'epic-child-remove',
  method: 'DELETE',
  path: `${path}/:child_epic_id`,
  summary: 'Take an epic out of the one that it is a part of',
  params: one,
  response: epicView,
});

export const epicChildEndpoints = [
  listEpicChildren,
  createEpicChild,
  assignEpicChild,
  reorderEpicChild,
  removeEpicChild,
];
