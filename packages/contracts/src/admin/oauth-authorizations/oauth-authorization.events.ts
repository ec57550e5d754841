import { z } from 'zod';
import { SCOPES } from '../../endpoint.ts';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import examples from './oauth-authorization.events.examples.json' with { type: 'json' };

const authorization = {
  authorizationId: z.string().describe('Id of the authorization, a UUID.'),
  userId: z.int().describe('Id of the user as whom its tokens act.'),
  oauthApplicationId: z
    .int()
    .nullable()
    .describe('Id of the application that it was given to; null where a password was exchanged without one.'),
};
const scopes = (what: string) => z.array(z.enum(SCOPES)).describe(what);

const common = {
  version: 1,
  subject: 'oauthAuthorization-<authorizationId>',
  service: 'admin',
  activity: 'administration',
} as const;

export const OauthAuthorizationGranted = defineEvent({
  ...common,
  type: 'OauthAuthorizationGranted',
  description: 'A user let a program act for them: by consent in a browser, or by their password.',
  example: examples.OauthAuthorizationGranted,
  audit: privileged('User', 'OauthAuthorization'),
  schema: z.object({
    ...authorization,
    scopes: scopes('What it may be used for.'),
    code: z
      .object({
        codeSha256: z.string().describe('SHA-256 of the code, in hexadecimal; never published.'),
        redirectUri: personal(z.string().describe('Address to which the code was sent.')),
        challenge: z
          .string()
          .nullable()
          .describe('What the exchange has to answer (PKCE); null for nothing.'),
        challengeMethod: z
          .enum(['S256', 'plain'])
          .nullable()
          .describe('How the challenge comes from the answer; null without a challenge.'),
        expiresAt: z.string().describe('When the code is over, in ISO 8601 and UTC.'),
      })
      .nullable()
      .describe('The code that the program exchanges for tokens; null where it got tokens at once.'),
  }),
  withheld: ['codeSha256', 'challenge'],
});

export const OauthTokensIssued = defineEvent({
  ...common,
  type: 'OauthTokensIssued',
  description:
    'An authorization got an access token and a refresh token, and those before them ended; an event holds only their SHA-256.',
  example: examples.OauthTokensIssued,
  audit: 'part',
  schema: z.object({
    ...authorization,
    tokenId: z.int().describe('Id of the access token.'),
    scopes: scopes('What the access token may be used for.'),
    accessTokenSha256: z.string().describe('SHA-256 of the access token, in hexadecimal; never published.'),
    refreshTokenSha256: z.string().describe('SHA-256 of the refresh token, in hexadecimal; never published.'),
    expiresAt: z.string().describe('When the access token is over, in ISO 8601 and UTC.'),
  }),
  withheld: ['accessTokenSha256', 'refreshTokenSha256'],
});

export const OauthAuthorizationRevoked = defineEvent({
  ...common,
  type: 'OauthAuthorizationRevoked',
  description: 'An authorization was revoked: its tokens open nothing from this event on.',
  example: examples.OauthAuthorizationRevoked,
  audit: privileged('User', 'OauthAuthorization'),
  schema: z.object({
    ...authorization,
    reason: z
      .enum(['revoked', 'reused'])
      .describe('`reused` where a code or a refresh token came a second time, which tells that it leaked.'),
  }),
});

export const OauthAuthorizationEnded = defineEvent({
  ...common,
  type: 'OauthAuthorizationEnded',
  description: 'An authorization that nobody revoked is over, and its tokens with it.',
  example: examples.OauthAuthorizationEnded,
  audit: 'system',
  schema: z.object({
    ...authorization,
    reason: z
      .enum(['expired', 'shut_out', 'deleted'])
      .describe(
        '`expired` where it was not used for long, `shut_out` where its user was blocked, banned or deactivated, `deleted` with its user or application.',
      ),
  }),
});

export const oauthAuthorizationEvents = [
  OauthAuthorizationGranted,
  OauthTokensIssued,
  OauthAuthorizationRevoked,
  OauthAuthorizationEnded,
] as const;
export type OauthAuthorizationEvent = EventOf<(typeof oauthAuthorizationEvents)[number]>;
