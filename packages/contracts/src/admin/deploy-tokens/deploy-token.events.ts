import { z } from 'zod';
import { DEPLOY_TOKEN_SCOPES } from '../../endpoint.ts';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import examples from './deploy-token.events.examples.json' with { type: 'json' };

const token = {
  deployTokenId: z.int().describe('Id of the deploy token.'),
  projectId: z.int().nullable().describe('Id of the project that it opens; null where it is of a group.'),
  groupId: z
    .int()
    .nullable()
    .describe('Id of the group whose projects it opens, with all below; null where it is of a project.'),
};

const common = {
  version: 1,
  subject: 'deployToken-<deployTokenId>',
  service: 'admin',
  audit: privileged('Project', 'DeployToken'),
  activity: 'administration',
} as const;

export const DeployTokenCreated = defineEvent({
  ...common,
  type: 'DeployTokenCreated',
  description:
    'A project or group got a deploy token; an event holds only its SHA-256, which is never published.',
  example: examples.DeployTokenCreated,
  schema: z.object({
    ...token,
    name: personal(z.string().describe('Name that its maker gave the token.')),
    username: personal(z.string().describe('Name that it signs in with.')),
    scopes: z.array(z.enum(DEPLOY_TOKEN_SCOPES)).describe('What the token opens.'),
    expiresAt: z
      .string()
      .nullable()
      .describe('When it no longer works, in ISO 8601 and UTC; null if it does not expire.'),
    tokenSha256: z.string().describe('SHA-256 of the token, in hexadecimal; never published.'),
  }),
  withheld: ['tokenSha256'],
});

export const DeployTokenDeleted = defineEvent({
  ...common,
  type: 'DeployTokenDeleted',
  description: 'A deploy token was deleted: it opens nothing from this event on.',
  example: examples.DeployTokenDeleted,
  schema: z.object(token),
});

export const deployTokenEvents = [DeployTokenCreated, DeployTokenDeleted] as const;
export type DeployTokenEvent = EventOf<(typeof deployTokenEvents)[number]>;
