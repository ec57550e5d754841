import { z } from 'zod';
import { type Access, AccessLevel, defineEndpoint, group, project, SCOPES } from '../../endpoint.ts';
import { described, fallback, int, list, oneOf, oneOfInts, type Params, required } from '../../params.ts';
import { groupId, projectId } from '../../shared/common.params.ts';
import { defineView } from '../../views.ts';
import { accessTokenView, newAccessTokenView, tokenParams } from '../access-tokens/access-token.api.ts';
import examples from './resource-access-token.examples.json' with { type: 'json' };

/** Token of a project or group, with the level of its bot there; null where the bot is no direct member any more. */
export const resourceAccessTokenView = defineView(
  'ResourceAccessToken',
  { ...accessTokenView.shape, access_level: z.int().nullable() },
  examples.ResourceAccessToken,
);

export const newResourceAccessTokenView = defineView(
  'CreatedResourceAccessToken',
  { ...newAccessTokenView.shape, access_level: z.int().nullable() },
  examples.CreatedResourceAccessToken,
);

/** What a bot may be given: nothing that is about the user who made it, or about other users. */
const RESOURCE_SCOPES = SCOPES.filter((scope) => scope !== 'sudo' && scope !== 'read_user');

interface Place<Where extends Params> {
  id: string;
  of: string;
  path: string;
  access: Access;
  where: Where;
}

function tokensOf<const Where extends Params>({ id, of, path, access, where }: Place<Where>) {
  const common = { service: 'admin', access, spec: 'companions 2.1' } as const;
  const one = { ...where, token_id: described(required(int()), 'Id of the token') };
  return {
    list: defineEndpoint({
      ...common,
      id: `${id}-list`,
      method: 'GET',
      path,
      summary: `Access tokens of a ${of} that work`,
      params: where,
      pagination: 'offset',
      response: z.array(resourceAccessTokenView),
    }),
    create: defineEndpoint({
      ...common,
      id: `${id}-create`,
      method: 'POST',
      path,
      summary: `Make a bot a member of a ${of}, with a token that is in this answer and nowhere else`,
      params: {
        ...where,
        ...tokenParams,
        scopes: described(required(list(oneOf(...RESOURCE_SCOPES))), 'What the token may do', {
          examples: [['api']],
        }),
        access_level: described(
          fallback(oneOfInts(10, 20, 30, 40), AccessLevel.maintainer),
          'What the bot is: 10 guest, 20 reporter, 30 developer, 40 maintainer',
        ),
      },
      status: 201,
      response: newResourceAccessTokenView,
    }),
    get: defineEndpoint({
      ...common,
      id: `${id}-get`,
      method: 'GET',
      path: `${path}/:token_id`,
      summary: `One access token of a ${of}`,
      spec: 'beyond the specification, for newer clients',
      params: one,
      response: resourceAccessTokenView,
    }),
    revoke: defineEndpoint({
      ...common,
      id: `${id}-revoke`,
      method: 'DELETE',
      path: `${path}/:token_id`,
      summary: `Revoke an access token of a ${of}, and delete its bot`,
      params: one,
      status: 204,
    }),
  };
}

export const projectAccessTokens = tokensOf({
  id: 'project-access-token',
  of: 'project',
  path: '/projects/:id/access_tokens',
  access: project('maintainer'),
  where: { id: projectId },
});

export const groupAccessTokens = tokensOf({
  id: 'group-access-token',
  of: 'group',
  path: '/groups/:id/access_tokens',
  access: group('owner'),
  where: { id: groupId },
});

export const resourceAccessTokenEndpoints = [
  ...Object.values(projectAccessTokens),
  ...Object.values(groupAccessTokens),
];
