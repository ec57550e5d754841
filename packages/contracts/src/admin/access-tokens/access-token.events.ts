import { z } from 'zod';
import { SCOPES } from '../../endpoint.ts';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import examples from './access-token.events.examples.json' with { type: 'json' };

const token = {
  tokenId: z.int().describe('Id of the token.'),
  userId: z.int().describe('Id of the user as whom the token acts.'),
  name: personal(z.string().describe('Name that its maker gave the token.')),
};

export const PersonalAccessTokenCreated = defineEvent({
  type: 'PersonalAccessTokenCreated',
  version: 2,
  description:
    'A user got a personal access token; an event holds only its SHA-256, which is never published.',
  subject: 'accessToken-<tokenId>',
  example: examples.PersonalAccessTokenCreated,
  service: 'admin',
  audit: privileged('User', 'PersonalAccessToken'),
  activity: 'administration',
  schema: z.object({
    ...token,
    scopes: z.array(z.enum(SCOPES)).describe('What the token may be used for.'),
    expiresAt: z
      .string()
      .nullable()
      .describe(
        'First day on which the token is invalid, as `YYYY-MM-DD` in UTC; null if it does not expire.',
      ),
    tokenSha256: z.string().describe('SHA-256 of the token, in hexadecimal; never published.'),
    impersonation: z
      .boolean()
      .describe('Whether an administrator made it to act as the user, who does not see it.'),
    projectId: z
      .int()
      .nullable()
      .describe(
        'Project that its user, a bot, was made for together with the token; null for all other tokens.',
      ),
    groupId: z
      .int()
      .nullable()
      .describe(
        'Group that its user, a bot, was made for together with the token; null for all other tokens.',
      ),
  }),
  upcast: { 1: (data: object) => ({ ...data, projectId: null, groupId: null }) },
  withheld: ['tokenSha256'],
});

export const PersonalAccessTokenRevoked = defineEvent({
  type: 'PersonalAccessTokenRevoked',
  version: 1,
  description: 'A personal access token was revoked: it opens nothing from this event on.',
  subject: 'accessToken-<tokenId>',
  example: examples.PersonalAccessTokenRevoked,
  service: 'admin',
  audit: privileged('User', 'PersonalAccessToken'),
  activity: 'administration',
  schema: z.object(token),
});

export const PersonalAccessTokenEnded = defineEvent({
  type: 'PersonalAccessTokenEnded',
  version: 1,
  description:
    'A personal access token that nobody revoked is over; an expired one was refused from the beginning of its day.',
  subject: 'accessToken-<tokenId>',
  example: examples.PersonalAccessTokenEnded,
  service: 'admin',
  audit: 'system',
  activity: 'administration',
  schema: z.object({
    tokenId: token.tokenId,
    userId: token.userId,
    reason: z
      .enum(['expired', 'deleted'])
      .describe(
        '`expired` on the day of `expiresAt`, `deleted` with its user, or with the place that it is of.',
      ),
  }),
});

export const PersonalAccessTokensUsed = defineEvent({
  type: 'PersonalAccessTokensUsed',
  version: 1,
  description:
    'Personal access tokens were used: one event for many, and each of them again after some minutes at the earliest.',
  subject: 'accessTokenUses-<day>',
  example: examples.PersonalAccessTokensUsed,
  service: 'admin',
  audit: 'system',
  activity: 'system',
  schema: z.object({
    day: z.string().describe('Day in UTC on which it was recorded, as `YYYY-MM-DD`.'),
    uses: z
      .array(
        z.object({
          tokenId: token.tokenId,
          usedAt: z.string().describe('When a request was made with the token, in ISO 8601 and UTC.'),
        }),
      )
      .describe('The tokens, each once.'),
  }),
});

export const accessTokenEvents = [
  PersonalAccessTokenCreated,
  PersonalAccessTokenRevoked,
  PersonalAccessTokenEnded,
] as const;
export type AccessTokensUsed = EventOf<typeof PersonalAccessTokensUsed>;
export type AccessTokenEvent = EventOf<(typeof accessTokenEvents)[number]>;
