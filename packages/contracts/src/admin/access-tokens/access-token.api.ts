import { z } from 'zod';
import { administrator, defineEndpoint, SCOPES, user } from '../../endpoint.ts';
import { date, described, int, list, nullable, oneOf, required, text } from '../../params.ts';
import { userId } from '../../shared/common.params.ts';
import { datetimeView, dateView, defineView } from '../../views.ts';
import examples from './access-token.examples.json' with { type: 'json' };

/** Personal access token [companions 3]. */
export const accessTokenView = defineView(
  'PersonalAccessToken',
  {
    id: z.int(),
    name: z.string(),
    revoked: z.boolean(),
    created_at: datetimeView,
    scopes: z.array(z.enum(SCOPES)),
    user_id: z.int(),
    active: z.boolean(),
    expires_at: dateView.nullable(),
    last_used_at: datetimeView.nullable(),
  },
  examples.PersonalAccessToken,
);

/** The token's value appears only in the answer that creates it. */
export const newAccessTokenView = defineView(
  'CreatedPersonalAccessToken',
  {
    ...accessTokenView.shape,
    token: z.string(),
  },
  examples.CreatedPersonalAccessToken,
);

/** What every new token is asked for with, beside its scopes. */
export const tokenParams = {
  name: described(required(text({ max: 255 })), 'Name of the token', { pattern: '\\S', examples: ['ci'] }),
  expires_at: described(
    nullable(date()),
    'First day on which the token no longer works; without it the token stays',
    { examples: ['2030-01-31'] },
  ),
};

export const createAccessToken = defineEndpoint({
  id: 'personal-access-token-create',
  service: 'admin',
  method: 'POST',
  path: '/users/:user_id/personal_access_tokens',
  summary: 'Make a token for a user; its value is in this answer and nowhere else',
  spec: 'companions 2.1',
  access: administrator,
  params: {
    user_id: userId,
    ...tokenParams,
    scopes: described(required(list(oneOf(...SCOPES))), 'What the token may do', { examples: [['api']] }),
  },
  status: 201,
  response: newAccessTokenView,
});

export const listAccessTokens = defineEndpoint({
  id: 'personal-access-token-list',
  service: 'admin',
  method: 'GET',
  path: '/personal_access_tokens',
  summary: 'Personal access tokens: the own ones, to administrators all',
  spec: 'companions 2.1',
  access: user,
  params: { user_id: described(int(), 'Only tokens of this user') },
  pagination: 'offset',
  response: z.array(accessTokenView),
});

export const getOwnAccessToken = defineEndpoint({
  id: 'personal-access-token-self',
  service: 'admin',
  method: 'GET',
  path: '/personal_access_tokens/self',
  summary: 'The token that the request is made with, whatever its scopes',
  spec: 'beyond the specification, for newer clients',
  access: user,
  scopes: SCOPES,
  params: {},
  response: accessTokenView,
});

export const getAccessToken = defineEndpoint({
  id: 'personal-access-token-get',
  service: 'admin',
  method: 'GET',
  path: '/personal_access_tokens/:id',
  summary: 'One token, of the own ones or as administrator',
  spec: 'beyond the specification, for newer clients',
  access: user,
  params: { id: described(required(int()), 'Id of the token') },
  response: accessTokenView,
});

export const revokeAccessToken = defineEndpoint({
  id: 'personal-access-token-revoke',
  service: 'admin',
  method: 'DELETE',
  path: '/personal_access_tokens/:id',
  summary: 'Revoke a token, the own one or as administrator',
  spec: 'companions 2.1',
  access: user,
  params: { id: described(required(int()), 'Id of the token') },
  status: 204,
});

export const accessTokenEndpoints = [
  createAccessToken,
  listAccessTokens,
  getOwnAccessToken,
  getAccessToken,
  revokeAccessToken,
];
