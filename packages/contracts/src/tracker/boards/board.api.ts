import { z } from 'zod';
import { type Access, atLeastOne, defineEndpoint, exclusive, group, project } from '../../endpoint.ts';
import { bool, described, int, list, nullable, type Params, required, text } from '../../params.ts';
import { groupId, projectId } from '../../shared/common.params.ts';
import { defineView, userView } from '../../views.ts';
import { iterationView } from '../iterations/iteration.api.ts';
import { milestoneView } from '../milestones/milestone.api.ts';
import examples from './board.examples.json' with { type: 'json' };

const labelView = defineView('LabelOfBoardList', {
  id: z.int(),
  name: z.string(),
  color: z.string(),
  description: z.string().nullable(),
});

/**
 * A list of a board: the issues with a label or, from Premium on, those of an assignee, a milestone or an iteration. One
 * of them is there. Its position counts from 0.
 */
export const boardListView = defineView(
  'BoardList',
  {
    id: z.int(),
    label: labelView.optional(),
    assignee: userView.optional(),
    milestone: milestoneView.nullable().optional(),
    iteration: iterationView.optional(),
    position: z.int(),
  },
  examples.BoardList,
);

/** What the issues on it have in common exists from Premium on. A board of a project or, with `group` instead of `project`, of a group. */
export const boardView = defineView(
  'Board',
  {
    id: z.int(),
    name: z.string(),
    hide_backlog_list: z.boolean(),
    hide_closed_list: z.boolean(),
    project: defineView('ProjectOfBoard', {
      id: z.int(),
      name: z.string(),
      name_with_namespace: z.string(),
      path: z.string(),
      path_with_namespace: z.string(),
      http_url_to_repo: z.string(),
      web_url: z.string(),
    }).optional(),
    group: defineView('GroupOfBoard', { id: z.int(), name: z.string(), web_url: z.string() }).optional(),
    lists: z.array(boardListView),
    milestone: milestoneView.nullable().optional(),
    assignee: userView.nullable().optional(),
    labels: z.array(labelView).optional(),
    weight: z.int().nullable().optional(),
  },
  examples.Board,
);

interface Place<Where extends Params> {
  id: string;
  of: string;
  path: string;
  reads: Access;
  writes: Access;
  where: Where;
}

const name = described(text({ max: 255 }), 'Name of the board', { examples: ['Development'] });
const hidden = {
  hide_backlog_list: described(bool(), 'Whether clients leave out the list of open issues without a list'),
  hide_closed_list: described(bool(), 'Whether clients leave out the list of closed issues'),
};
/** From the premium edition on. */
const scope = {
  milestone_id: described(nullable(int()), 'Id of the milestone of its issues; 0 for any and none (premium)'),
  assignee_id: described(
    nullable(int()),
    'Id of the assignee of its issues; 0 for anybody and nobody (premium)',
  ),
  labels: described(
    list(text({ max: 255 })),
    'Labels that all of its issues have; empty for none (premium)',
    {
      examples: [[]],
    },
  ),
  weight: described(
    nullable(int({ min: 0, max: 2_147_483_647 })),
    'Weight of its issues; null for any and none (premium)',
  ),
};
const position = described(required(int({ min: 0 })), 'Position of the list, from 0', { examples: [1] });

/** A list is one of exactly one of these. */
const ofLists = ['label_id', 'assignee_id', 'milestone_id', 'iteration_id'];

function boardsOf<const Where extends Params>({ id, of, path, reads, writes, where }: Place<Where>) {
  const common = { service: 'tracker', spec: 'companions 2.7' } as const;
  const one = { ...where, board_id: described(required(int()), 'Id of the board') };
  const oneList = { ...one, list_id: described(required(int()), 'Id of the list') };
  const at = `${path}/:board_id`;
  const lists = `${at}/lists`;
  return {
    list: defineEndpoint({
      ...common,
      access: reads,
      id: `${id}-list`,
      method: 'GET',
      path,
      summary: `Boards of a ${of}, by name`,
      params: where,
      pagination: 'offset',
      response: z.array(boardView),
    }),
    get: defineEndpoint({
      ...common,
      access: reads,
      id: `${id}-get`,
      method: 'GET',
      path: at,
      summary: `One board of a ${of}`,
      params: one,
      response: boardView,
    }),
    create: defineEndpoint({
      ...common,
      access: writes,
      id: `${id}-create`,
      method: 'POST',
      path,
      summary: `Create a board of a ${of}`,
      params: { ...where, name: required(name) },
      status: 201,
      response: boardView,
    }),
    update: defineEndpoint({
      ...common,
      access: writes,
      id: `${id}-update`,
      method: 'PUT',
      path: at,
      summary: `Change a board of a ${of}`,
      params: { ...one, name, ...hidden, ...scope },
      rules: [atLeastOne('name', ...Object.keys(hidden), ...Object.keys(scope))],
      response: boardView,
    }),
    delete: defineEndpoint({
      ...common,
      access: writes,
      id: `${id}-delete`,
      method: 'DELETE',
      path: at,
      summary: `Delete a board of a ${of}`,
      params: one,
      status: 204,
    }),
    listLists: defineEndpoint({
      ...common,
      access: reads,
      id: `${id}-lists-list`,
      method: 'GET',
      path: lists,
      summary: `Lists of a board of a ${of}, by position`,
      params: one,
      pagination: 'offset',
      response: z.array(boardListView),
    }),
    getList: defineEndpoint({
      ...common,
      access: reads,
      id: `${id}-lists-get`,
      method: 'GET',
      path: `${lists}/:list_id`,
      summary: `One list of a board of a ${of}`,
      params: oneList,
      response: boardListView,
    }),
    addList: defineEndpoint({
      ...common,
      access: writes,
      id: `${id}-lists-create`,
      method: 'POST',
      path: lists,
      summary: `Add a list to a board of a ${of}, behind the others`,
      params: {
        ...one,
        label_id: described(int(), 'Id of a label that issues there can have', { examples: [1] }),
        assignee_id: described(int(), 'Id of a user whom issues there can be assigned to (premium)'),
        milestone_id: described(int(), 'Id of a milestone that issues there can have (premium)'),
        iteration_id: described(int(), 'Id of an iteration that issues there can be in (premium)'),
      },
      rules: [exclusive(...ofLists), atLeastOne(...ofLists)],
      status: 201,
      response: boardListView,
    }),
    moveList: defineEndpoint({
      ...common,
      access: writes,
      id: `${id}-lists-update`,
      method: 'PUT',
      path: `${lists}/:list_id`,
      summary: `Move a list of a board of a ${of} among the others`,
      params: { ...oneList, position },
      response: boardListView,
    }),
    removeList: defineEndpoint({
      ...common,
      access: writes,
      id: `${id}-lists-delete`,
      method: 'DELETE',
      path: `${lists}/:list_id`,
      summary: `Take a list from a board of a ${of}`,
      params: oneList,
      status: 204,
    }),
  };
}

export const projectBoards = boardsOf({
  id: 'project-board',
  of: 'project',
  path: '/projects/:id/boards',
  reads: project('anyone', { feature: 'issues', signedIn: true }),
  writes: project('reporter', { feature: 'issues' }),
  where: { id: projectId },
});

export const groupBoards = boardsOf({
  id: 'group-board',
  of: 'group',
  path: '/groups/:id/boards',
  reads: group('anyone', { signedIn: true }),
  writes: group('reporter'),
  where: { id: groupId },
});

export const boardEndpoints = [...Object.values(projectBoards), ...Object.values(groupBoards)];
