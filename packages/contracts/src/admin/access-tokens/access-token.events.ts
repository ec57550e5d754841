import { z } from 'zod';
import { SCOPES } from '../../endpoint.ts';
import { defineEvent, type EventOf, privileged } from '../../event.ts';

/** Streams `accessToken-<id>`: personal access tokens. Events hold only the SHA-256 of a token. */
export const PersonalAccessTokenCreated = defineEvent({
  type: 'PersonalAccessTokenCreated',
  version: 1,
  service: 'admin',
  audit: privileged('User', 'PersonalAccessToken'),
  activity: 'administration',
  schema: z.object({
    tokenId: z.int(),
    userId: z.int(),
    name: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    /** `YYYY-MM-DD`, the first day on which the token is invalid; null for never. */
    expiresAt: z.string().nullable(),
    /** In hexadecimal. */
    tokenSha256: z.string(),
    impersonation: z.boolean(),
  }),
  withheld: ['tokenSha256'],
});

export const PersonalAccessTokenRevoked = defineEvent({
  type: 'PersonalAccessTokenRevoked',
  version: 1,
  service: 'admin',
  audit: privileged('User', 'PersonalAccessToken'),
  activity: 'administration',
  schema: z.object({ tokenId: z.int(), userId: z.int(), name: z.string() }),
});

export const accessTokenEvents = [PersonalAccessTokenCreated, PersonalAccessTokenRevoked] as const;
export type AccessTokenEvent = EventOf<(typeof accessTokenEvents)[number]>;
