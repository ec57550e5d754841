import { z } from 'zod';
import { administrator, atLeastOne, defineEndpoint, group, project, user } from '../../endpoint.ts';
import { bool, described, fallback, int, oneOf, required } from '../../params.ts';
import { groupId, projectId } from '../../shared/common.params.ts';
import { runnerAttributes, runnerFilters, runnerId } from './runner.params.ts';
import { registeredRunnerView, registrationTokenView, runnerDetailView, runnerView } from './runner.views.ts';

const ofProject = project('maintainer');
const ofGroup = group('owner');

const list = {
  service: 'ci',
  method: 'GET',
  spec: 'companions 2.10',
  pagination: 'offset',
  response: z.array(runnerView),
} as const;

export const listRunners = defineEndpoint({
  ...list,
  id: 'runner-list',
  path: '/runners',
  summary: 'Runners of the projects and groups whose runners the caller may change',
  access: user,
  params: runnerFilters,
});

export const listAllRunners = defineEndpoint({
  ...list,
  id: 'runner-list-all',
  path: '/runners/all',
  summary: 'All runners of the instance',
  access: administrator,
  params: runnerFilters,
});

export const listProjectRunners = defineEndpoint({
  ...list,
  id: 'project-runner-list',
  path: '/projects/:id/runners',
  summary: 'Runners that may get jobs of a project',
  access: ofProject,
  params: { id: projectId, ...runnerFilters },
});

export const listGroupRunners = defineEndpoint({
  ...list,
  id: 'group-runner-list',
  path: '/groups/:id/runners',
  summary: 'Runners of a group and of the groups above it, and those of the instance',
  access: ofGroup,
  params: { id: groupId, ...runnerFilters },
});

const common = { service: 'ci', spec: 'companions 2.10' } as const;

export const getRunner = defineEndpoint({
  ...common,
  id: 'runner-get',
  method: 'GET',
  path: '/runners/:id',
  summary: 'One runner',
  access: user,
  params: { id: runnerId },
  response: runnerDetailView,
});

export const updateRunner = defineEndpoint({
  ...common,
  id: 'runner-update',
  method: 'PUT',
  path: '/runners/:id',
  summary: 'Change a runner',
  access: user,
  params: { id: runnerId, ...runnerAttributes },
  rules: [atLeastOne(...Object.keys(runnerAttributes))],
  response: runnerDetailView,
});

export const deleteRunner = defineEndpoint({
  ...common,
  id: 'runner-delete',
  method: 'DELETE',
  path: '/runners/:id',
  summary: 'Remove a runner that works for one project at most, as administrator any',
  access: user,
  params: { id: runnerId },
  status: 204,
});

export const createRunner = defineEndpoint({
  ...common,
  id: 'user-runner-create',
  method: 'POST',
  path: '/user/runners',
  summary:
    'Make a runner without a token that registers it; its own token is in this answer and nowhere else',
  access: user,
  params: {
    runner_type: described(
      required(oneOf('instance_type', 'group_type', 'project_type')),
      'Whether it works for all projects, for those below a group, or for some projects',
      { examples: ['project_type'] },
    ),
    group_id: described(int(), 'Id of the group of a `group_type`'),
    project_id: described(int(), 'Id of the first project of a `project_type`'),
    ...runnerAttributes,
    run_untagged: described(fallback(bool(), false), 'Whether it gets jobs without tags, too'),
  },
  status: 201,
  response: registeredRunnerView,
});

export const enableProjectRunner = defineEndpoint({
  ...common,
  id: 'project-runner-enable',
  method: 'POST',
  path: '/projects/:id/runners',
  summary: 'Let a runner of another project work for this one, too',
  access: ofProject,
  params: { id: projectId, runner_id: runnerId },
  status: 201,
  response: runnerView,
});

export const disableProjectRunner = defineEndpoint({
  ...common,
  id: 'project-runner-disable',
  method: 'DELETE',
  path: '/projects/:id/runners/:runner_id',
  summary: 'Let a runner no longer work for a project',
  access: ofProject,
  params: { id: projectId, runner_id: runnerId },
  status: 204,
});

const reset = {
  ...common,
  method: 'POST',
  status: 201,
  response: registrationTokenView,
} as const;

export const resetInstanceToken = defineEndpoint({
  ...reset,
  id: 'runner-reset-registration-token',
  path: '/runners/reset_registration_token',
  summary: 'Make the token anew that registers runners of the instance',
  access: administrator,
  params: {},
});

export const resetProjectToken = defineEndpoint({
  ...reset,
  id: 'project-runner-reset-registration-token',
  path: '/projects/:id/runners/reset_registration_token',
  summary: 'Make the token anew that registers runners of a project',
  access: ofProject,
  params: { id: projectId },
});

export const resetGroupToken = defineEndpoint({
  ...reset,
  id: 'group-runner-reset-registration-token',
  path: '/groups/:id/runners/reset_registration_token',
  summary: 'Make the token anew that registers runners of a group',
  access: ofGroup,
  params: { id: groupId },
});

export const runnerEndpoints = [
  listRunners,
  listAllRunners,
  getRunner,
  updateRunner,
  deleteRunner,
  createRunner,
  listProjectRunners,
  enableProjectRunner,
  disableProjectRunner,
  listGroupRunners,
  resetInstanceToken,
  resetProjectToken,
  resetGroupToken,
];
