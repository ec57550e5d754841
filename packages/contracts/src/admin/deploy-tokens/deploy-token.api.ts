import { z } from 'zod';
import {
  type Access,
  administrator,
  DEPLOY_TOKEN_SCOPES,
  defineEndpoint,
  group,
  project,
} from '../../endpoint.ts';
import {
  bool,
  datetime,
  described,
  int,
  list,
  nullable,
  oneOf,
  type Params,
  required,
  text,
} from '../../params.ts';
import { groupId, projectId } from '../../shared/common.params.ts';
import { datetimeView, defineView } from '../../views.ts';
import examples from './deploy-token.examples.json' with { type: 'json' };

/** `revoked` is always false: a revoked token is deleted. */
export const deployTokenView = defineView(
  'DeployToken',
  {
    id: z.int(),
    name: z.string(),
    username: z.string(),
    expires_at: datetimeView.nullable(),
    scopes: z.array(z.enum(DEPLOY_TOKEN_SCOPES)),
    revoked: z.literal(false),
    expired: z.boolean(),
  },
  examples.DeployToken,
);

/** The token's value appears only in the answer that creates it. */
export const newDeployTokenView = defineView(
  'CreatedDeployToken',
  { ...deployTokenView.shape, token: z.string() },
  examples.CreatedDeployToken,
);

const active = described(bool(), 'Only those that work, or only those that are expired');
const spec = 'companions 2.11';

interface Place<Where extends Params> {
  id: string;
  of: string;
  path: string;
  reads: Access;
  changes: Access;
  where: Where;
}

function tokensOf<const Where extends Params>({ id, of, path, reads, changes, where }: Place<Where>) {
  const common = { service: 'admin', spec } as const;
  const one = { ...where, token_id: described(required(int()), 'Id of the deploy token') };
  return {
    list: defineEndpoint({
      ...common,
      access: reads,
      id: `${id}-list`,
      method: 'GET',
      path,
      summary: `Deploy tokens of a ${of}`,
      params: { ...where, active },
      pagination: 'offset',
      response: z.array(deployTokenView),
    }),
    create: defineEndpoint({
      ...common,
      access: changes,
      id: `${id}-create`,
      method: 'POST',
      path,
      summary: `Make a token by which machines get what a ${of} has; it is in this answer and nowhere else`,
      params: {
        ...where,
        name: described(required(text({ max: 255 })), 'Name of the token', {
          pattern: '\\S',
          examples: ['Deployment'],
        }),
        scopes: described(required(list(oneOf(...DEPLOY_TOKEN_SCOPES))), 'What the token opens', {
          examples: [['read_repository']],
        }),
        expires_at: described(
          nullable(datetime()),
          'When the token no longer works; without it the token stays',
          { examples: ['2030-01-31T00:00:00Z'] },
        ),
        username: described(
          nullable(text({ max: 255 })),
          'Name that git and other programs sign in with, by default `gitlab+deploy-token-` and the id',
          { pattern: '^[a-zA-Z0-9.+_-]*$', examples: ['machine'] },
        ),
      },
      status: 201,
      response: newDeployTokenView,
    }),
    get: defineEndpoint({
      ...common,
      access: reads,
      id: `${id}-get`,
      method: 'GET',
      path: `${path}/:token_id`,
      summary: `One deploy token of a ${of}`,
      spec: 'beyond the specification, for newer clients',
      params: one,
      response: deployTokenView,
    }),
    delete: defineEndpoint({
      ...common,
      access: changes,
      id: `${id}-delete`,
      method: 'DELETE',
      path: `${path}/:token_id`,
      summary: `Delete a deploy token of a ${of}, which opens nothing from then on`,
      params: one,
      status: 204,
    }),
  };
}

export const listDeployTokens = defineEndpoint({
  id: 'deploy-token-list',
  service: 'admin',
  method: 'GET',
  path: '/deploy_tokens',
  summary: 'Deploy tokens of all projects and groups',
  spec,
  access: administrator,
  params: { active },
  pagination: 'offset',
  response: z.array(deployTokenView),
});

export const projectDeployTokens = tokensOf({
  id: 'project-deploy-token',
  of: 'project',
  path: '/projects/:id/deploy_tokens',
  reads: project('maintainer'),
  changes: project('maintainer'),
  where: { id: projectId },
});

export const groupDeployTokens = tokensOf({
  id: 'group-deploy-token',
  of: 'group',
  path: '/groups/:id/deploy_tokens',
  reads: group('maintainer'),
  changes: group('owner'),
  where: { id: groupId },
});

export const deployTokenEndpoints = [
  listDeployTokens,
  ...Object.values(projectDeployTokens),
  ...Object.values(groupDeployTokens),
];
