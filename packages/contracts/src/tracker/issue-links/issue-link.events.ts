import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import examples from './issue-link.events.examples.json' with { type: 'json' };

const link = {
  issueLinkId: z.int().describe('Id of the link, unique on the instance.'),
  sourceIssueId: z.int().describe('Id of the issue that it was made from, or that blocks the other one.'),
  sourceProjectId: z.int().describe('Id of the project of that issue.'),
  sourceIid: z.int().describe('Number of that issue in its project.'),
  targetIssueId: z.int().describe('Id of the other issue.'),
  targetProjectId: z.int().describe('Id of the project of the other issue.'),
  targetIid: z.int().describe('Number of the other issue in its project.'),
  linkType: z.enum(['relates_to', 'blocks']).describe('What the source has to do with the target.'),
};

/** Two issues share a stream, the lower id first, so that they have one link at a time. */
const common = {
  version: 1,
  subject: ['issueLink-<sourceIssueId>-<targetIssueId>', 'issueLink-<targetIssueId>-<sourceIssueId>'],
  service: 'tracker',
  audit: 'content',
  activity: 'unnamed',
  schema: z.object(link),
} as const;

export const IssueLinkCreated = defineEvent({
  ...common,
  type: 'IssueLinkCreated',
  description: 'Two issues were linked.',
  example: examples.IssueLinkCreated,
});

export const IssueLinkDeleted = defineEvent({
  ...common,
  type: 'IssueLinkDeleted',
  description: 'The link of two issues was taken away.',
  example: examples.IssueLinkDeleted,
});

export const issueLinkEvents = [IssueLinkCreated, IssueLinkDeleted] as const;
export type IssueLinkEvent = EventOf<(typeof issueLinkEvents)[number]>;
