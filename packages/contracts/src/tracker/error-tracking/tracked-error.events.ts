import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { changed } from '../../shared/changes.ts';
import { projectId } from '../../shared/event.fields.ts';
import { ERROR_LEVELS, ERROR_STATUSES } from './tracked-error.api.ts';
import examples from './tracked-error.events.examples.json' with { type: 'json' };

const nullableText = (what: string) => z.string().nullable().describe(`${what}; null if not told.`);

const occurrence = personal(
  z
    .object({
      reportId: z.string().describe('Id that the program gave its report.'),
      seenAt: z.string().describe('When the report arrived, as an ISO 8601 time in UTC.'),
      exceptions: z
        .array(
          z.object({
            type: z.string().describe('Type of the exception.'),
            value: z.string().describe('What the exception says, without secrets.'),
            frames: z
              .array(
                z.object({
                  filename: nullableText('File of the code'),
                  function: nullableText('Function that ran'),
                  module: nullableText('Module of the function'),
                  line: z.int().nullable().describe('Line in the file; null if not told.'),
                  column: z.int().nullable().describe('Column in the line; null if not told.'),
                  isOwn: z.boolean().describe('Whether it is code of the program, and none of a library.'),
                  context: nullableText('The line itself'),
                }),
              )
              .describe('Calls that led there, the innermost last.'),
          }),
        )
        .describe('The exceptions, each caused by the one before it.'),
      request: z
        .object({
          method: nullableText('Method of the request'),
          url: z.string().describe('Address of the request, without credentials and query.'),
        })
        .nullable()
        .describe('The request that the program served; null if it served none.'),
      tags: z.record(z.string(), z.string()).describe('What the program says of itself, by name.'),
    })
    .describe('One of the times at which it was seen.'),
);

const ids = {
  trackedErrorId: z.int().describe('Id of the error.'),
  projectId,
  fingerprint: z.string().describe('What its occurrences have in common, as a hash.'),
};
const status = z.enum(ERROR_STATUSES).describe('Whether it is done.');
const occurrences = z.int().describe('How often it was seen.');
const lastSeenAt = z.string().describe('When it was seen last, as an ISO 8601 time in UTC.');

const common = {
  version: 1,
  subject: 'trackedError-<projectId>-<fingerprint>',
  service: 'tracker',
  activity: 'unnamed',
} as const;

export const TrackedErrorCreated = defineEvent({
  ...common,
  type: 'TrackedErrorCreated',
  description: 'A program reported an error to a project that was not known there.',
  example: examples.TrackedErrorCreated,
  audit: 'system',
  schema: z.object({
    ...ids,
    errorType: personal(z.string().describe('Type of the exception, or the logger of a message.')),
    message: personal(z.string().describe('What the error says, without secrets.')),
    culprit: personal(z.string().describe('Where in the program it happened; empty if not told.')),
    level: z.enum(ERROR_LEVELS).describe('How bad it is.'),
    platform: personal(z.string().describe('Language of the program.')),
    environment: personal(nullableText('Environment of the program')),
    release: personal(nullableText('Version of the program')),
    occurrence,
  }),
});

export const TrackedErrorSeen = defineEvent({
  ...common,
  type: 'TrackedErrorSeen',
  description:
    'A known error was seen again, once or many times: occurrences in quick succession are told together.',
  example: examples.TrackedErrorSeen,
  audit: 'system',
  schema: z.object({ ...ids, ...changed({ occurrences, lastSeenAt }) }),
});

export const TrackedErrorReopened = defineEvent({
  ...common,
  type: 'TrackedErrorReopened',
  description: 'An error that was resolved was seen again.',
  example: examples.TrackedErrorReopened,
  audit: 'system',
  schema: z.object({ ...ids, ...changed({ status, occurrences, lastSeenAt }), occurrence }),
});

export const TrackedErrorUpdated = defineEvent({
  ...common,
  type: 'TrackedErrorUpdated',
  description: 'Somebody resolved an error, ignored it, or took that back.',
  example: examples.TrackedErrorUpdated,
  audit: 'content',
  schema: z.object({ ...ids, ...changed({ status }) }),
});

export const TrackedErrorDeleted = defineEvent({
  ...common,
  type: 'TrackedErrorDeleted',
  description: 'An error that programs reported was deleted.',
  example: examples.TrackedErrorDeleted,
  audit: 'content',
  schema: z.object(ids),
});

export const trackedErrorEvents = [
  TrackedErrorCreated,
  TrackedErrorSeen,
  TrackedErrorReopened,
  TrackedErrorUpdated,
  TrackedErrorDeleted,
] as const;
export type TrackedErrorEvent = EventOf<(typeof trackedErrorEvents)[number]>;
