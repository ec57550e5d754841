import { z } from 'zod';
import { administrator, defineEndpoint, SCOPES } from '../../endpoint.ts';
import { described, fallback, int, list, oneOf, required } from '../../params.ts';
import { userId } from '../../shared/common.params.ts';
import { defineView } from '../../views.ts';
import { accessTokenView, newAccessTokenView, tokenParams } from './access-token.api.ts';
import examples from './access-token.examples.json' with { type: 'json' };

/** Impersonation token [L481]: a personal access token that the user does not see. */
export const impersonationTokenView = defineView(
  'ImpersonationToken',
  { ...accessTokenView.shape, impersonation: z.literal(true) },
  examples.ImpersonationToken,
);

export const newImpersonationTokenView = defineView(
  'CreatedImpersonationToken',
  { ...newAccessTokenView.shape, impersonation: z.literal(true) },
  examples.CreatedImpersonationToken,
);

const base = '/users/:user_id/impersonation_tokens';
const one = {
  user_id: userId,
  impersonation_token_id: described(required(int()), 'Id of the token'),
};
const common = { service: 'admin', access: administrator, spec: 'companions 2.1' } as const;

export const listImpersonationTokens = defineEndpoint({
  ...common,
  id: 'impersonation-token-list',
  method: 'GET',
  path: base,
  summary: 'Tokens that administrators made to act as a user',
  params: {
    user_id: userId,
    state: described(
      fallback(oneOf('all', 'active', 'inactive'), 'all'),
      'Only those that work, or that are revoked or expired',
    ),
  },
  pagination: 'offset',
  response: z.array(impersonationTokenView),
});

export const createImpersonationToken = defineEndpoint({
  ...common,
  id: 'impersonation-token-create',
  method: 'POST',
  path: base,
  summary: 'Make a token to act as a user; its value is in this answer and nowhere else',
  params: {
    user_id: userId,
    ...tokenParams,
    scopes: described(list(oneOf(...SCOPES)), 'What the token may do', { examples: [['api']] }),
  },
  status: 201,
  response: newImpersonationTokenView,
});

export const getImpersonationToken = defineEndpoint({
  ...common,
  id: 'impersonation-token-get',
  method: 'GET',
  path: `${base}/:impersonation_token_id`,
  summary: 'One impersonation token of a user',
  params: one,
  response: impersonationTokenView,
});

export const revokeImpersonationToken = defineEndpoint({
  ...common,
  id: 'impersonation-token-revoke',
  method: 'DELETE',
  path: `${base}/:impersonation_token_id`,
  summary: 'Revoke an impersonation token',
  params: one,
  status: 204,
});

export const impersonationTokenEndpoints = [
  listImpersonationTokens,
  createImpersonationToken,
  getImpersonationToken,
  revokeImpersonationToken,
];
