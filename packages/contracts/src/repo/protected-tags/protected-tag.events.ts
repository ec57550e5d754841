import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { projectId } from '../../shared/event.fields.ts';
import examples from './protected-tag.events.examples.json' with { type: 'json' };

const ids = {
  protectedTagId: z.int().describe('Id of the protected tag.'),
  projectId,
  name: personal(z.string().describe('Name of the tags; `*` stands for any text.')),
};

/** All protected tags of a project are one stream, because names are unique in it. */
const common = {
  subject: 'protectedTags-<projectId>',
  service: 'repo',
  audit: privileged('Project', 'ProtectedTag'),
  activity: 'unnamed',
} as const;

export const ProtectedTagCreated = defineEvent({
  ...common,
  type: 'ProtectedTagCreated',
  version: 1,
  description: 'Tags of a name, which may exist or not, were protected.',
  example: examples.ProtectedTagCreated,
  schema: z.object({
    ...ids,
    createAccessLevel: z
      .int()
      .describe('Least access level of those who create such tags: 30 developer, 40 maintainer, 0 nobody.'),
  }),
});

export const ProtectedTagDeleted = defineEvent({
  ...common,
  type: 'ProtectedTagDeleted',
  version: 1,
  description: 'Tags of a name are no longer protected by it.',
  example: examples.ProtectedTagDeleted,
  schema: z.object(ids),
});

export const protectedTagEvents = [ProtectedTagCreated, ProtectedTagDeleted] as const;
export type ProtectedTagEvent = EventOf<(typeof protectedTagEvents)[number]>;
