import { z } from 'zod';
import { administrator, atLeastOne, defineEndpoint, project } from '../../endpoint.ts';
import { bool, described, fallback, int, required, text } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { datetimeView, defineView } from '../../views.ts';
import examples from './deploy-key.examples.json' with { type: 'json' };

const shape = {
  id: z.int(),
  title: z.string(),
  created_at: datetimeView,
  key: z.string(),
  fingerprint: z.string(),
  fingerprint_sha256: z.string(),
};

export const deployKeyView = defineView('DeployKey', shape, examples.DeployKey);
/** Deploy key of one project. */
export const projectDeployKeyView = defineView(
  'ProjectDeployKey',
  { ...shape, can_push: z.boolean() },
  examples.ProjectDeployKey,
);
/** Deploy key as administrators see it. */
export const instanceDeployKeyView = defineView(
  'InstanceDeployKey',
  {
    ...shape,
    projects_with_write_access: z.array(
      defineView('DeployKeyProject', {
        id: z.int(),
        name: z.string(),
        name_with_namespace: z.string(),
        path: z.string(),
        path_with_namespace: z.string(),
      }),
    ),
  },
  examples.InstanceDeployKey,
);

const EXAMPLE = { examples: ['Machine'], pattern: '\\S' };
const added = {
  title: described(required(text({ max: 255 })), 'What the key is called', EXAMPLE),
  key: described(required(text({ max: 16_384 })), 'The public key, as in `id_ed25519.pub`', {
    examples: [examples.DeployKey.key],
  }),
};
const canPush = 'Whether the key may push';
const ofProject = {
  service: 'admin',
  spec: 'companions 2.11',
  access: project('maintainer'),
} as const;
const path = '/projects/:id/deploy_keys';
const where = { id: projectId };
const one = { ...where, key_id: described(required(int()), 'Id of the deploy key') };

export const listDeployKeys = defineEndpoint({
  id: 'deploy-key-list',
  service: 'admin',
  method: 'GET',
  path: '/deploy_keys',
  summary: 'Deploy keys of all projects, and those that each may enable',
  spec: 'companions 2.11',
  access: administrator,
  params: { public: described(bool(), 'Only those that each project may enable') },
  pagination: 'offset',
  response: z.array(instanceDeployKeyView),
});

export const createDeployKey = defineEndpoint({
  id: 'deploy-key-create',
  service: 'admin',
  method: 'POST',
  path: '/deploy_keys',
  summary: 'Add a deploy key that each project may enable',
  spec: 'beyond the specification, for newer clients',
  access: administrator,
  params: added,
  status: 201,
  response: instanceDeployKeyView,
});

export const listProjectDeployKeys = defineEndpoint({
  ...ofProject,
  id: 'project-deploy-key-list',
  method: 'GET',
  path,
  summary: 'Deploy keys of a project',
  params: where,
  pagination: 'offset',
  response: z.array(projectDeployKeyView),
});

export const getProjectDeployKey = defineEndpoint({
  ...ofProject,
  id: 'project-deploy-key-get',
  method: 'GET',
  path: `${path}/:key_id`,
  summary: 'One deploy key of a project',
  params: one,
  response: projectDeployKeyView,
});

export const addProjectDeployKey = defineEndpoint({
  ...ofProject,
  id: 'project-deploy-key-create',
  method: 'POST',
  path,
  summary: 'Add a deploy key to a project, or enable one that the caller has elsewhere',
  params: { ...where, ...added, can_push: described(fallback(bool(), false), canPush) },
  status: 201,
  response: projectDeployKeyView,
});

export const updateProjectDeployKey = defineEndpoint({
  ...ofProject,
  id: 'project-deploy-key-update',
  method: 'PUT',
  path: `${path}/:key_id`,
  summary: 'Change the title of a deploy key, and what it may do in a project',
  params: {
    ...one,
    title: described(text({ max: 255 }), 'What the key is called, in each project that has it', EXAMPLE),
    can_push: described(bool(), canPush),
  },
  rules: [atLeastOne('title', 'can_push')],
  response: projectDeployKeyView,
});

export const removeProjectDeployKey = defineEndpoint({
  ...ofProject,
  id: 'project-deploy-key-delete',
  method: 'DELETE',
  path: `${path}/:key_id`,
  summary: 'Take a deploy key from a project; it is deleted where no other has it',
  params: one,
  status: 204,
});

export const enableProjectDeployKey = defineEndpoint({
  ...ofProject,
  id: 'project-deploy-key-enable',
  method: 'POST',
  path: `${path}/:key_id/enable`,
  summary: 'Enable a deploy key in a project that the caller has elsewhere, or that each may enable',
  params: one,
  status: 201,
  response: deployKeyView,
});

export const deployKeyEndpoints = [
  listDeployKeys,
  createDeployKey,
  listProjectDeployKeys,
  getProjectDeployKey,
  addProjectDeployKey,
  updateProjectDeployKey,
  removeProjectDeployKey,
  enableProjectDeployKey,
];
