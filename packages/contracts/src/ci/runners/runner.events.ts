import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { changed } from '../../shared/changes.ts';
import { projectId } from '../../shared/event.fields.ts';
import examples from './runner.events.examples.json' with { type: 'json' };

const runnerId = z.int().describe('Id of the runner.');
/** For whom it works. */
const place = {
  runnerType: z
    .enum(['instance_type', 'group_type', 'project_type'])
    .describe('Whether it works for all projects, for those below a group, or for some projects.'),
  groupId: z.int().nullable().describe('Id of the group of a `group_type`, else null.'),
  projectId: z
    .int()
    .nullable()
    .describe('Id of the project that a `project_type` was registered for, else null.'),
};
const attributes = {
  description: personal(z.string().describe('What people call it.')),
  active: z.boolean().describe('Whether it gets jobs; a paused one gets none.'),
  tags: personal(z.array(z.string()).describe('Tags of the jobs that it may get.')),
  runUntagged: z.boolean().describe('Whether it gets jobs without tags, too.'),
  locked: z.boolean().describe('Whether it cannot be enabled for further projects.'),
  accessLevel: z
    .enum(['not_protected', 'ref_protected'])
    .describe('Whether it gets jobs of all refs, or of protected refs alone.'),
  maximumTimeout: z
    .int()
    .nullable()
    .describe('Seconds after which it gives up a job; null for the timeout of the job.'),
};
const common = { service: 'ci', activity: 'administration' } as const;
const subject = 'runner-<runnerId>';

export const RunnerRegistered = defineEvent({
  ...common,
  type: 'RunnerRegistered',
  version: 1,
  description:
    'A runner, which executes jobs, was registered; the event holds only the SHA-256 of its token, which is never published.',
  subject,
  example: examples.RunnerRegistered,
  audit: privileged('Project', 'Runner'),
  schema: z.object({
    runnerId,
    ...place,
    ...attributes,
    tokenSha256: z.string().describe('SHA-256 of its token, in hexadecimal; never published.'),
  }),
  withheld: ['tokenSha256'],
});

export const RunnerUpdated = defineEvent({
  ...common,
  type: 'RunnerUpdated',
  version: 1,
  description: 'Attributes of a runner changed.',
  subject,
  example: examples.RunnerUpdated,
  audit: privileged('Project', 'Runner'),
  schema: z.object({ runnerId, ...place, ...changed(attributes) }),
});

export const RunnerEnabledForProject = defineEvent({
  ...common,
  type: 'RunnerEnabledForProject',
  version: 1,
  description: 'A runner works for a project from this event on.',
  subject,
  example: examples.RunnerEnabledForProject,
  audit: privileged('Project', 'Runner'),
  schema: z.object({
    runnerId,
    projectId,
    reason: z
      .enum(['registered', 'enabled'])
      .describe('Whether it was registered for the project, or enabled later.'),
  }),
});

export const RunnerDisabledForProject = defineEvent({
  ...common,
  type: 'RunnerDisabledForProject',
  version: 1,
  description: 'A runner works no longer for a project.',
  subject,
  example: examples.RunnerDisabledForProject,
  audit: privileged('Project', 'Runner'),
  schema: z.object({
    runnerId,
    projectId,
    reason: z
      .enum(['disabled', 'removed', 'deleted'])
      .describe('`removed` with the runner, `deleted` with the project.'),
  }),
});

export const RunnerRemoved = defineEvent({
  ...common,
  type: 'RunnerRemoved',
  version: 1,
  description: 'A runner was removed: its token opens nothing from this event on.',
  subject,
  example: examples.RunnerRemoved,
  audit: privileged('Project', 'Runner'),
  schema: z.object({
    runnerId,
    ...place,
    reason: z
      .enum(['removed', 'unregistered', 'deleted'])
      .describe(
        'Whether somebody removed it, it took leave itself, or its group or last project was deleted.',
      ),
  }),
});

export const runnerEvents = [
  RunnerRegistered,
  RunnerUpdated,
  RunnerEnabledForProject,
  RunnerDisabledForProject,
  RunnerRemoved,
] as const;
export type RunnerEvent = EventOf<(typeof runnerEvents)[number]>;
