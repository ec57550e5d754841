import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { changed } from '../../shared/changes.ts';
import { projectId } from '../../shared/event.fields.ts';
import examples from './deploy-key.events.examples.json' with { type: 'json' };

const key = {
  deployKeyId: z.int().describe('Id of the deploy key.'),
  fingerprint: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('SHA-256 of the key in hexadecimal.'),
};
const title = { title: personal(z.string().describe('What people call the key.')) };
const access = { canPush: z.boolean().describe('Whether the key may push to the project.') };

const common = {
  version: 1,
  subject: 'deployKey-<fingerprint>',
  service: 'admin',
  audit: privileged('Project', 'DeployKey'),
  activity: 'administration',
} as const;

export const DeployKeyCreated = defineEvent({
  ...common,
  type: 'DeployKeyCreated',
  description: 'A public key of a machine was added, for one project or for any that enables it.',
  example: examples.DeployKeyCreated,
  schema: z.object({
    ...key,
    ...title,
    key: personal(z.string().describe('The public key as text, with its comment.')),
    keyIds: z.array(z.string()).describe('SHA-256 in Base64 and MD5 of the key.'),
    isPublic: z.boolean().describe('Whether each project may enable it.'),
  }),
});

export const DeployKeyUpdated = defineEvent({
  ...common,
  type: 'DeployKeyUpdated',
  description: 'A deploy key got another title.',
  example: examples.DeployKeyUpdated,
  schema: z.object({ ...key, projectId, ...changed(title) }),
});

export const DeployKeyDeleted = defineEvent({
  ...common,
  type: 'DeployKeyDeleted',
  description: 'A deploy key was deleted, because the last project that had it enabled gave it up.',
  example: examples.DeployKeyDeleted,
  schema: z.object(key),
});

export const DeployKeyEnabledForProject = defineEvent({
  ...common,
  type: 'DeployKeyEnabledForProject',
  description: 'A deploy key was enabled in a project.',
  example: examples.DeployKeyEnabledForProject,
  schema: z.object({ ...key, projectId, ...access }),
});

export const DeployKeyAccessUpdated = defineEvent({
  ...common,
  type: 'DeployKeyAccessUpdated',
  description: 'What a deploy key may do in a project changed.',
  example: examples.DeployKeyAccessUpdated,
  schema: z.object({ ...key, projectId, ...changed(access) }),
});

export const DeployKeyDisabledForProject = defineEvent({
  ...common,
  type: 'DeployKeyDisabledForProject',
  description: 'A project no longer has a deploy key.',
  example: examples.DeployKeyDisabledForProject,
  schema: z.object({ ...key, projectId }),
});

export const deployKeyEvents = [
  DeployKeyCreated,
  DeployKeyUpdated,
  DeployKeyDeleted,
  DeployKeyEnabledForProject,
  DeployKeyAccessUpdated,
  DeployKeyDisabledForProject,
] as const;
export type DeployKeyEvent = EventOf<(typeof deployKeyEvents)[number]>;
