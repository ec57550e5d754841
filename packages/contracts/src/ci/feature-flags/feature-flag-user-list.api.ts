import { z } from 'zod';
import { defineEndpoint, project } from '../../endpoint.ts';
import { described, int, required, text } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { datetimeView, defineView } from '../../views.ts';
import examples from './feature-flag.examples.json' with { type: 'json' };

/** Users of a program, for whom flags of a project are on [companions 2.9]. */
export const featureFlagUserListView = defineView(
  'FeatureFlagUserList',
  {
    id: z.int(),
    iid: z.int(),
    project_id: z.int(),
    created_at: datetimeView,
    updated_at: datetimeView,
    name: z.string(),
    user_xids: z.string(),
  },
  examples.FeatureFlagUserList,
);

const base = '/projects/:id/feature_flags_user_lists';
const one = { id: projectId, iid: described(required(int()), 'Number of the list in its project') };
const name = text({ max: 4096 });
const nameSays = 'Name, at most 255 characters, unique in the project';
const NAME = { maxLength: 255, examples: ['Testers'] };
const userXids = text({ max: 262_144 });
const xidsSay = 'Ids that the program gives its users, each once, separated by commas';
const XIDS = { examples: ['ada,grace'] };
const common = {
  service: 'ci',
  access: project('developer', { feature: 'operations' }),
  spec: 'companions 2.9',
} as const;

export const listFeatureFlagUserLists = defineEndpoint({
  ...common,
  id: 'feature-flag-user-list-list',
  method: 'GET',
  path: base,
  summary: 'User lists of a project, in order of their numbers',
  params: { id: projectId, search: described(text({ max: 255 }), 'Only those whose name holds this') },
  pagination: 'offset',
  response: z.array(featureFlagUserListView),
});

export const getFeatureFlagUserList = defineEndpoint({
  ...common,
  id: 'feature-flag-user-list-get',
  method: 'GET',
  path: `${base}/:iid`,
  summary: 'One user list of a project',
  params: one,
  response: featureFlagUserListView,
});

export const createFeatureFlagUserList = defineEndpoint({
  ...common,
  id: 'feature-flag-user-list-create',
  method: 'POST',
  path: base,
  summary: 'Create a user list in a project',
  params: {
    id: projectId,
    name: described(required(name), nameSays, NAME),
    user_xids: described(required(userXids, { blank: true }), xidsSay, XIDS),
  },
  status: 201,
  response: featureFlagUserListView,
});

export const updateFeatureFlagUserList = defineEndpoint({
  ...common,
  id: 'feature-flag-user-list-update',
  method: 'PUT',
  path: `${base}/:iid`,
  summary: 'Change a user list of a project',
  params: {
    ...one,
    name: described(name, nameSays, { ...NAME, minLength: 1 }),
    user_xids: described(userXids, xidsSay, XIDS),
  },
  response: featureFlagUserListView,
});

export const deleteFeatureFlagUserList = defineEndpoint({
  ...common,
  id: 'feature-flag-user-list-delete',
  method: 'DELETE',
  path: `${base}/:iid`,
  summary: 'Delete a user list that no strategy names',
  params: one,
  status: 204,
  otherStatuses: [409],
});

export const featureFlagUserListEndpoints = [
  listFeatureFlagUserLists,
  getFeatureFlagUserList,
  createFeatureFlagUserList,
  updateFeatureFlagUserList,
  deleteFeatureFlagUserList,
];
