import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { changed } from '../../shared/changes.ts';
import { projectId } from '../../shared/event.fields.ts';
import examples from './push-rule.events.examples.json' with { type: 'json' };

const expression = (what: string) =>
  personal(z.string().nullable().describe(`${what}, an expression of RE2; null for all.`));

const rules = {
  commitMessageRegex: expression('What commit messages must match'),
  commitMessageNegativeRegex: personal(
    z
      .string()
      .nullable()
      .describe('What commit messages must not match, an expression of RE2; null for none.'),
  ),
  branchNameRegex: expression('What names of branches must match'),
  authorEmailRegex: expression('What email addresses of authors must match'),
  fileNameRegex: personal(
    z
      .string()
      .nullable()
      .describe('What names of new files must not match, an expression of RE2; null for none.'),
  ),
  maxFileSize: z.int().describe('Largest size of a new file in MiB; 0 for any.'),
  preventSecrets: z.boolean().describe('Whether files that are named like keys and passwords are refused.'),
  denyDeleteTag: z.boolean().describe('Whether git may not delete tags.'),
  memberCheck: z.boolean().describe('Whether authors must be users of the instance.'),
  commitCommitterCheck: z.boolean().describe('Whether people may only push commits that they committed.'),
  rejectUnsignedCommits: z.boolean().describe('Whether pushed commits must have a signature.'),
};
const ids = { pushRuleId: z.int().describe('Id of the push rule.'), projectId };

const common = {
  subject: 'pushRule-<projectId>',
  service: 'repo',
  audit: privileged('Project', 'PushRule'),
  activity: 'unnamed',
} as const;

export const PushRuleCreated = defineEvent({
  ...common,
  type: 'PushRuleCreated',
  version: 1,
  description: 'A project got rules for what is pushed to it.',
  example: examples.PushRuleCreated,
  schema: z.object({ ...ids, ...rules }),
});

export const PushRuleUpdated = defineEvent({
  ...common,
  type: 'PushRuleUpdated',
  version: 1,
  description: 'Rules for what is pushed to a project changed.',
  example: examples.PushRuleUpdated,
  schema: z.object({ ...ids, ...changed(rules) }),
});

export const PushRuleDeleted = defineEvent({
  ...common,
  type: 'PushRuleDeleted',
  version: 1,
  description: 'A project has no rules any more for what is pushed to it.',
  example: examples.PushRuleDeleted,
  schema: z.object(ids),
});

export const pushRuleEvents = [PushRuleCreated, PushRuleUpdated, PushRuleDeleted] as const;
export type PushRuleEvent = EventOf<(typeof pushRuleEvents)[number]>;
