import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';

/**
 * Streams `issue-<project id>-<iid>`, each appended as new, so that a race for a number becomes a conflict (ADR 5).
 */
const issue = {
  issueId: z.int(),
  projectId: z.int(),
  iid: z.int(),
};

export const issueTypes = ['issue', 'incident', 'test_case'] as const;

const content = {
  title: z.string(),
  /** Markdown. */
  description: z.string().nullable(),
  issueType: z.enum(issueTypes),
  confidential: z.boolean(),
  /** Unique label names, in the order of their assignment. */
  labels: z.array(z.string()),
  /** User ids; the first one is shown as "the" assignee. */
  assigneeIds: z.array(z.int()),
  milestoneId: z.int().nullable(),
  /** `YYYY-MM-DD`. */
  dueDate: z.string().nullable(),
  weight: z.int().nullable(),
};

export const IssueOpened = defineEvent({
  type: 'IssueOpened',
  version: 1,
  service: 'tracker',
  audit: 'content',
  activity: 'told',
  schema: z.object({
    ...issue,
    authorId: z.int(),
    ...content,
    /** Set by an administrator or owner, else null: the event's own time counts. */
    createdAt: z.string().nullable(),
  }),
  personalData: ['title', 'description'],
});

/** `changes` holds the changed fields, each with its whole new value. */
export const IssueUpdated = defineEvent({
  type: 'IssueUpdated',
  version: 1,
  service: 'tracker',
  audit: 'content',
  activity: 'unnamed',
  schema: z.object({
    ...issue,
    changes: z.object({ ...content, discussionLocked: z.boolean() }).partial(),
    /** Set by an administrator or owner, else null. */
    updatedAt: z.string().nullable(),
  }),
  personalData: ['changes.title', 'changes.description'],
});

export const IssueClosed = defineEvent({
  type: 'IssueClosed',
  version: 1,
  service: 'tracker',
  audit: 'content',
  activity: 'told',
  schema: z.object({ ...issue, closedById: z.int().nullable() }),
});

export const IssueReopened = defineEvent({
  type: 'IssueReopened',
  version: 1,
  service: 'tracker',
  audit: 'content',
  activity: 'told',
  schema: z.object(issue),
});

export const IssueDeleted = defineEvent({
  type: 'IssueDeleted',
  version: 1,
  service: 'tracker',
  audit: privileged('Project', 'Issue'),
  activity: 'removal',
  schema: z.object(issue),
});

/** 0 seconds means "no estimate". */
export const IssueTimeEstimateSet = defineEvent({
  type: 'IssueTimeEstimateSet',
  version: 1,
  service: 'tracker',
  audit: 'content',
  activity: 'unnamed',
  schema: z.object({ ...issue, seconds: z.int().min(0) }),
});

export const IssueTimeSpentAdded = defineEvent({
  type: 'IssueTimeSpentAdded',
  version: 1,
  service: 'tracker',
  audit: 'content',
  activity: 'unnamed',
  schema: z.object({
    ...issue,
    userId: z.int(),
    /** Negative to take time back; the sum is never below 0. */
    seconds: z.int(),
    summary: z.string().nullable(),
  }),
  personalData: ['summary'],
});

export const IssueTimeSpentReset = defineEvent({
  type: 'IssueTimeSpentReset',
  version: 1,
  service: 'tracker',
  audit: 'content',
  activity: 'unnamed',
  schema: z.object(issue),
});

export const issueEvents = [
  IssueOpened,
  IssueUpdated,
  IssueClosed,
  IssueReopened,
  IssueDeleted,
  IssueTimeEstimateSet,
  IssueTimeSpentAdded,
  IssueTimeSpentReset,
] as const;
export type IssueEvent = EventOf<(typeof issueEvents)[number]>;
