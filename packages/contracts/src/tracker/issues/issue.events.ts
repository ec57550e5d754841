import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { alwaysChanged, changed, previousUnknown } from '../../shared/changes.ts';
import { projectId } from '../../shared/event.fields.ts';
import { withFormerLabelIds, withFormerLabelIdsInChanges } from '../labels/former-label-id.ts';
import examples from './issue.events.examples.json' with { type: 'json' };

/** Each stream is appended as new, so that a race for a number becomes a conflict (ADR 5). */
const issue = {
  issueId: z.int().describe('Id of the issue, unique on the instance.'),
  projectId,
  iid: z.int().describe('Number of the issue, unique in the project.'),
};

export const issueTypes = ['issue', 'incident', 'test_case'] as const;

const content = {
  title: personal(z.string().describe('The title.')),
  description: personal(z.string().nullable().describe('The text, in Markdown; null if not given.')),
  issueType: z.enum(issueTypes).describe('Kind of the issue.'),
  confidential: z.boolean().describe('Whether only those who may read confidential issues see it.'),
  labels: personal(
    z
      .array(z.string())
      .describe('Titles of its labels at that time, each once, in the order of their assignment.'),
  ),
  labelIds: z.array(z.int()).describe('Ids of its labels, in the same order.'),
  assigneeIds: z
    .array(z.int())
    .describe('Ids of the users whom it is assigned to; lists show the first one.'),
  milestoneId: z.int().nullable().describe('Id of the milestone; null for none.'),
  dueDate: z.string().nullable().describe('Day on which it is due, as `YYYY-MM-DD`; null for none.'),
  weight: z.int().nullable().describe('Weight, a number from 0 on; null for none.'),
};

export const ISSUE_CLOSED = { changes: { state: 'closed' }, previous: { state: 'opened' } } as const;
export const ISSUE_REOPENED = { changes: { state: 'opened' }, previous: { state: 'closed' } } as const;

const timeEstimate = z.int().describe('The estimate in seconds; 0 for none.');
const timeSpent = z.int().describe('The sum of the time spent, in seconds.');

export const IssueOpened = defineEvent({
  type: 'IssueOpened',
  version: 2,
  description: 'An issue was opened.',
  subject: 'issue-<projectId>-<iid>',
  example: examples.IssueOpened,
  service: 'tracker',
  audit: 'content',
  activity: 'told',
  schema: z.object({
    ...issue,
    authorId: z.int().describe('Id of the author.'),
    ...content,
    createdAt: z
      .string()
      .nullable()
      .describe(
        'When it was opened, if an administrator or owner set it; null: the time of the event counts.',
      ),
  }),
  upcast: { 1: withFormerLabelIds },
});

export const IssueUpdated = defineEvent({
  type: 'IssueUpdated',
  version: 3,
  description: 'Attributes of an issue changed.',
  subject: 'issue-<projectId>-<iid>',
  example: examples.IssueUpdated,
  service: 'tracker',
  audit: 'content',
  activity: 'unnamed',
  schema: z.object({
    ...issue,
    ...changed({
      ...content,
      discussionLocked: z.boolean().describe('Whether only members may comment.'),
    }),
    updatedAt: z
      .string()
      .nullable()
      .describe('When it changed, if an administrator or owner set it; null: the time of the event counts.'),
  }),
  upcast: { 1: previousUnknown, 2: withFormerLabelIdsInChanges },
});

export const IssueClosed = defineEvent({
  type: 'IssueClosed',
  version: 2,
  description: 'An issue was closed.',
  subject: 'issue-<projectId>-<iid>',
  example: examples.IssueClosed,
  service: 'tracker',
  audit: 'content',
  activity: 'told',
  schema: z.object({
    ...issue,
    closedById: z.int().nullable().describe('Id of the user who closed it; null if the system did.'),
    ...alwaysChanged(ISSUE_CLOSED),
  }),
  upcast: { 1: (data) => ({ ...data, ...ISSUE_CLOSED }) },
});

export const IssueReopened = defineEvent({
  type: 'IssueReopened',
  version: 2,
  description: 'A closed issue was opened again.',
  subject: 'issue-<projectId>-<iid>',
  example: examples.IssueReopened,
  service: 'tracker',
  audit: 'content',
  activity: 'told',
  schema: z.object({ ...issue, ...alwaysChanged(ISSUE_REOPENED) }),
  upcast: { 1: (data) => ({ ...data, ...ISSUE_REOPENED }) },
});

export const IssueDeleted = defineEvent({
  type: 'IssueDeleted',
  version: 1,
  description: 'An issue was deleted, with its discussions.',
  subject: 'issue-<projectId>-<iid>',
  example: examples.IssueDeleted,
  service: 'tracker',
  audit: privileged('Project', 'Issue'),
  activity: 'removal',
  schema: z.object(issue),
});

const origin = {
  originIssueId: z.int().describe('Id of the issue that it is a copy of.'),
  originProjectId: z.int().describe('Id of the project of that issue.'),
  originIid: z.int().describe('Number of that issue in its project.'),
};

export const IssueCopied = defineEvent({
  type: 'IssueCopied',
  version: 1,
  description: 'An issue was opened as a copy of another one. What was said of that follows.',
  subject: 'issue-<projectId>-<iid>',
  example: examples.IssueCopied,
  service: 'tracker',
  audit: 'content',
  activity: 'unnamed',
  schema: z.object({
    ...issue,
    ...origin,
    reason: z
      .enum(['moved', 'cloned'])
      .describe('Whether it takes the place of the other one, or both go on.'),
    withNotes: z.boolean().describe('Whether the discussions of the other one are copied as well.'),
  }),
});

export const IssueMoved = defineEvent({
  type: 'IssueMoved',
  version: 1,
  description: 'An issue was moved to another project, where it goes on as another issue.',
  subject: 'issue-<projectId>-<iid>',
  example: examples.IssueMoved,
  service: 'tracker',
  audit: 'content',
  activity: 'unnamed',
  schema: z.object({
    ...issue,
    toProjectId: z.int().describe('Id of the project that it was moved to.'),
    toIid: z.int().describe('Number of the issue there.'),
    ...changed({
      movedToId: z
        .int()
        .nullable()
        .describe('Id of the issue that it goes on as; null where it was not moved.'),
    }),
  }),
});

export const IssueTimeEstimateSet = defineEvent({
  type: 'IssueTimeEstimateSet',
  version: 2,
  description: 'The time that an issue is thought to take was set or reset.',
  subject: 'issue-<projectId>-<iid>',
  example: examples.IssueTimeEstimateSet,
  service: 'tracker',
  audit: 'content',
  activity: 'unnamed',
  schema: z.object({
    ...issue,
    seconds: z.int().min(0).describe('The estimate in seconds; 0 for none.'),
    ...changed({ timeEstimate }),
  }),
  upcast: { 1: (data) => ({ ...data, changes: { timeEstimate: data.seconds }, previous: null }) },
});

export const IssueTimeSpentAdded = defineEvent({
  type: 'IssueTimeSpentAdded',
  version: 1,
  description: 'Time spent on an issue was added or taken back.',
  subject: 'issue-<projectId>-<iid>',
  example: examples.IssueTimeSpentAdded,
  service: 'tracker',
  audit: 'content',
  activity: 'unnamed',
  schema: z.object({
    ...issue,
    userId: z.int().describe('Id of the user who spent it.'),
    seconds: z.int().describe('Seconds, negative to take time back; the sum is never below 0.'),
    summary: personal(z.string().nullable().describe('What the time was spent on; null if not given.')),
  }),
});

export const IssueTimeSpentReset = defineEvent({
  type: 'IssueTimeSpentReset',
  version: 2,
  description: 'The time spent on an issue was set to zero.',
  subject: 'issue-<projectId>-<iid>',
  example: examples.IssueTimeSpentReset,
  service: 'tracker',
  audit: 'content',
  activity: 'unnamed',
  schema: z.object({ ...issue, ...changed({ timeSpent }) }),
  upcast: { 1: (data) => ({ ...data, changes: { timeSpent: 0 }, previous: null }) },
});

export const IssueReordered = defineEvent({
  type: 'IssueReordered',
  version: 1,
  description: 'An issue was given another place among the issues of its project.',
  subject: 'issue-<projectId>-<iid>',
  example: examples.IssueReordered,
  service: 'tracker',
  audit: 'content',
  activity: 'unnamed',
  schema: z.object({
    ...issue,
    ...changed({
      relativePosition: z
        .string()
        .nullable()
        .describe(
          'A text by which the issues of a project are in the order that people gave them; null for the place of its number.',
        ),
    }),
  }),
});

export const IssueEpicSet = defineEvent({
  type: 'IssueEpicSet',
  version: 1,
  description: 'An issue was put into an epic, taken out of one, or given another place in it.',
  subject: 'issue-<projectId>-<iid>',
  example: examples.IssueEpicSet,
  service: 'tracker',
  audit: 'content',
  activity: 'unnamed',
  schema: z.object({
    ...issue,
    epicGroupId: z.int().describe('Id of the group of the epic that it was put into or taken out of.'),
    epicIid: z.int().describe('Number of that epic in its group.'),
    ...changed({
      epicId: z.int().nullable().describe('Id of the epic that it is in; null for none.'),
      epicPosition: z
        .string()
        .nullable()
        .describe(
          'A text by which the issues of an epic are in the order that people gave them; null for the place of its id.',
        ),
    }),
  }),
});

export const IssueIterationSet = defineEvent({
  type: 'IssueIterationSet',
  version: 1,
  description:
    'An issue was put into an iteration or taken out of one, by somebody or because its iteration ended.',
  subject: 'issue-<projectId>-<iid>',
  example: examples.IssueIterationSet,
  service: 'tracker',
  audit: 'content',
  activity: 'unnamed',
  schema: z.object({
    ...issue,
    ...changed({
      iterationId: z.int().nullable().describe('Id of the iteration that it is in; null for none.'),
    }),
  }),
});

export const issueEvents = [
  IssueOpened,
  IssueUpdated,
  IssueClosed,
  IssueReopened,
  IssueDeleted,
  IssueCopied,
  IssueMoved,
  IssueReordered,
  IssueEpicSet,
  IssueIterationSet,
  IssueTimeEstimateSet,
  IssueTimeSpentAdded,
  IssueTimeSpentReset,
] as const;
export type IssueEvent = EventOf<(typeof issueEvents)[number]>;
