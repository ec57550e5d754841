import { z } from 'zod';
import { ACCESS_LOG, defineEvent } from '../../event.ts';
import { projectId, userId } from '../../shared/event.fields.ts';
import examples from './access-log.events.examples.json' with { type: 'json' };

export const ACCESS_STREAM = 'access-log';

/** Each event counts what happened alike in a window of time, so that a flood stays small (ADR 39). */
const counted = {
  count: z.int().min(1).describe('How often it happened between the two times; events never count twice.'),
  firstAt: z.string().describe('When it happened first, in ISO 8601.'),
  lastAt: z.string().describe('When it happened last, in ISO 8601.'),
};

const accessEvent = <const Type extends keyof typeof examples, Shape extends z.ZodRawShape>(
  type: Type,
  description: string,
  fields: Shape,
) =>
  defineEvent({
    type,
    version: 1,
    description,
    subject: ACCESS_STREAM,
    service: ACCESS_LOG,
    audit: 'system',
    activity: 'system',
    example: examples[type],
    schema: z.object({ ...fields, ...counted }),
  });

export const CredentialUsed = accessEvent(
  'CredentialUsed',
  'A user signed in: requests were made with a token or password from one address, within an hour.',
  {
    userId: userId.describe('Id of the user whose credential it is.'),
    tokenId: z
      .int()
      .nullable()
      .describe('Id of the token, of the kind that `credentialkind` names; null for a password.'),
  },
);

export const DeployTokenUsed = accessEvent(
  'DeployTokenUsed',
  'A deploy token signed in: requests were made with it from one address, within an hour.',
  {
    deployTokenId: z.int().describe('Id of the deploy token.'),
    projectId: projectId.nullable().describe('Id of the project that it is of; null where it is of a group.'),
    groupId: z.int().nullable().describe('Id of the group that it is of; null where it is of a project.'),
  },
);

export const CredentialRefused = accessEvent(
  'CredentialRefused',
  'A sign-in was refused: requests from one address, within a minute.',
  {
    reason: z
      .enum(['unknown_token', 'wrong_password', 'blocked_user', 'sudo', 'scope', 'too_many'])
      .describe(
        'Why: the token never existed or has ended, the password is wrong, the user is blocked, the caller may not act as somebody else, the token is not for git, or too many wrong credentials came before.',
      ),
    userId: userId
      .nullable()
      .describe('Id of the user whose account was tried, where there is one; null if it is not known.'),
  },
);

export const RepositoryFetched = accessEvent(
  'RepositoryFetched',
  'Git got objects of a repository, within a minute.',
  {
    projectId,
    operation: z
      .enum(['clone', 'fetch'])
      .describe('A clone got everything; a fetch said first which objects it has.'),
  },
);

export const AccessRefused = accessEvent(
  'AccessRefused',
  'Requests were refused because the caller lacks the right, within a minute.',
  {
    status: z
      .union([z.literal(403), z.literal(404)])
      .describe('`403`, or `404` where the caller may not know that the project or group exists.'),
    endpoint: z.string().describe('Id of the endpoint, as in the API reference, or the service of git.'),
    projectId: projectId.nullable().describe('Id of the project that was asked for; null for another place.'),
    groupId: z.int().nullable().describe('Id of the group that was asked for; null for another place.'),
  },
);

export const AccessRecordsOmitted = accessEvent(
  'AccessRecordsOmitted',
  'There were more causes in a window than the access log tells apart, or its store was away: these were only counted.',
  {
    eventType: z
      .enum(['CredentialUsed', 'CredentialRefused', 'RepositoryFetched', 'AccessRefused'])
      .describe(
        'Type of the events that would have told it; refusals include requests for what does not exist.',
      ),
  },
);

export const accessLogEvents = [
  CredentialUsed,
  DeployTokenUsed,
  CredentialRefused,
  RepositoryFetched,
  AccessRefused,
  AccessRecordsOmitted,
];
