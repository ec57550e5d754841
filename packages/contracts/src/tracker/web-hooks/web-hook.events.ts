import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { alwaysChanged, changedWithheld } from '../../shared/changes.ts';
import examples from './web-hook.events.examples.json' with { type: 'json' };
import { TRIGGERS } from './web-hook-triggers.ts';

const ids = {
  webHookId: z.int().describe('Id of the hook.'),
  projectId: z.int().nullable().describe('Id of the project whose hook it is; null for others.'),
  groupId: z.int().nullable().describe('Id of the group whose hook it is; null for others.'),
};
const attributes = {
  triggers: z.array(z.enum(TRIGGERS)).describe('What it is told of.'),
  branchFilter: personal(
    z.string().nullable().describe('Only pushes to such branches, `*` stands for any text; null for all.'),
  ),
  verifyCertificate: z.boolean().describe('Whether the certificate of the receiver must be valid.'),
};
/** Addresses often hold a secret of the receiver. */
const secrets = {
  sealedUrl: z
    .string()
    .describe('Address of the receiver, which only the instance can open; never published.'),
  sealedToken: z
    .string()
    .nullable()
    .describe('Token that the receiver knows it by, sealed; null for none; never published.'),
};

const common = {
  version: 1,
  subject: 'webHook-<webHookId>',
  service: 'tracker',
  audit: privileged('Project', 'WebHook'),
  activity: 'unnamed',
  withheld: ['sealedUrl', 'sealedToken'],
} as const;

export const WebHookCreated = defineEvent({
  ...common,
  type: 'WebHookCreated',
  description:
    'A project, a group or the instance got a hook: an address that is told of events; it is never published.',
  example: examples.WebHookCreated,
  schema: z.object({ ...ids, ...attributes, ...secrets }),
});

export const WebHookUpdated = defineEvent({
  ...common,
  type: 'WebHookUpdated',
  description: 'Attributes of a hook changed; its address and token are never published.',
  example: examples.WebHookUpdated,
  schema: z.object({ ...ids, ...changedWithheld(attributes, secrets, ['url', 'token']) }),
});

export const WebHookDeleted = defineEvent({
  ...common,
  type: 'WebHookDeleted',
  description: 'A hook was deleted.',
  example: examples.WebHookDeleted,
  schema: z.object(ids),
});

export const HOOK_DISABLED = { changes: { disabled: true }, previous: { disabled: false } } as const;
export const HOOK_ENABLED = { changes: { disabled: false }, previous: { disabled: true } } as const;

export const WebHookDisabled = defineEvent({
  ...common,
  type: 'WebHookDisabled',
  description: 'A hook was switched off, because its receiver failed again and again.',
  example: examples.WebHookDisabled,
  schema: z.object({
    ...ids,
    failures: z.int().describe('Number of deliveries in a row that failed.'),
    ...alwaysChanged(HOOK_DISABLED),
  }),
});

export const WebHookEnabled = defineEvent({
  ...common,
  type: 'WebHookEnabled',
  description: 'A hook that was switched off is on again: it is told of what happens from now on.',
  example: examples.WebHookEnabled,
  schema: z.object({ ...ids, ...alwaysChanged(HOOK_ENABLED) }),
});

const toldUpTo = z
  .string()
  .describe(
    'Position in the log after which its next delivery begins, in the form of this log; never published.',
  );

export const WebHookRewound = defineEvent({
  ...common,
  type: 'WebHookRewound',
  description: 'A hook is told again of all events after a position.',
  example: examples.WebHookRewound,
  withheld: [...common.withheld, 'toldUpTo'],
  schema: z.object({ ...ids, toldUpTo }),
});

export const WebHookFellBehind = defineEvent({
  ...common,
  type: 'WebHookFellBehind',
  description:
    'The receiver of a hook is slow or fails: its deliveries go on by themselves until it has caught up.',
  example: examples.WebHookFellBehind,
  audit: 'system',
  activity: 'system',
  withheld: [...common.withheld, 'toldUpTo'],
  schema: z.object({ ...ids, toldUpTo }),
});

export const WebHookCaughtUp = defineEvent({
  ...common,
  type: 'WebHookCaughtUp',
  description: 'A hook that was behind has been told of everything.',
  example: examples.WebHookCaughtUp,
  audit: 'system',
  activity: 'system',
  withheld: [...common.withheld, 'toldUpTo'],
  schema: z.object({ ...ids, toldUpTo }),
});

export const webHookEvents = [
  WebHookCreated,
  WebHookUpdated,
  WebHookDeleted,
  WebHookDisabled,
  WebHookEnabled,
  WebHookRewound,
  WebHookFellBehind,
  WebHookCaughtUp,
] as const;
export type WebHookEvent = EventOf<(typeof webHookEvents)[number]>;
