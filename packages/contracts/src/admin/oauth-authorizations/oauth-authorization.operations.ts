import { z } from 'zod';
import { SCOPES } from '../../endpoint.ts';
import { defineOperation } from '../../operation.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const scopes = z.array(z.enum(SCOPES)).min(1).max(SCOPES.length);
const authorizationId = z.uuid();
const oauthApplicationId = z.int().nullable();
/** The tokens themselves are only in the gateway's answer. */
const made = { accessTokenSha256: sha256, refreshTokenSha256: sha256 };

const issued = z.strictObject({
  outcome: z.literal('issued'),
  scopes,
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
const issuedOrNot = z.discriminatedUnion('outcome', [
  issued,
  z.strictObject({ outcome: z.enum(['refused', 'scope_refused']) }),
]);

const common = { service: 'admin', effect: 'write' } as const;

/** The user is the principal; the authorization has the id of the operation. */
export const grantByPassword = defineOperation({
  ...common,
  id: 'oauth-tokens-grant',
  summary: 'Give a program tokens of the user who gave it their password',
  request: z.strictObject({ oauthApplicationId, scopes, ...made }),
  answer: issued,
});

/** The user is the principal; the authorization has the id of the operation. */
export const grantByCode = defineOperation({
  ...common,
  id: 'oauth-code-grant',
  summary: 'Give a program a code for the access that its user agreed to',
  request: z.strictObject({
    oauthApplicationId: z.int(),
    scopes,
    codeSha256: sha256,
    redirectUri: z.string(),
    challenge: z.strictObject({ value: z.string(), method: z.enum(['S256', 'plain']) }).nullable(),
  }),
  answer: z.strictObject({}),
});

export const redeemCode = defineOperation({
  ...common,
  id: 'oauth-code-redeem',
  summary: 'Exchange a code for tokens',
  request: z.strictObject({
    authorizationId,
    oauthApplicationId: z.int(),
    codeSha256: sha256,
    redirectUri: z.string(),
    verifier: z.string().nullable(),
    ...made,
  }),
  answer: issuedOrNot,
});

export const refreshTokens = defineOperation({
  ...common,
  id: 'oauth-tokens-refresh',
  summary: 'Exchange a refresh token for tokens',
  request: z.strictObject({
    authorizationId,
    oauthApplicationId,
    presentedSha256: sha256,
    /** Null for those of the authorization. */
    scopes: scopes.nullable(),
    ...made,
  }),
  answer: issuedOrNot,
});

export const revokeAuthorization = defineOperation({
  ...common,
  id: 'oauth-authorization-revoke',
  summary: 'End an authorization by one of its tokens',
  request: z.strictObject({ authorizationId, oauthApplicationId, presentedSha256: sha256 }),
  answer: z.strictObject({ outcome: z.enum(['done', 'of_another']) }),
});

export const oauthAuthorizationOperations = [
  grantByPassword,
  grantByCode,
  redeemCode,
  refreshTokens,
  revokeAuthorization,
];
