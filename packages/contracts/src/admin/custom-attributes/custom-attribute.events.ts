import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { changed } from '../../shared/changes.ts';
import examples from './custom-attribute.events.examples.json' with { type: 'json' };

/** All attributes of one owner are one stream, because names are unique in it. */
const subject = [
  'customAttributes-user-<userId>',
  'customAttributes-group-<groupId>',
  'customAttributes-project-<projectId>',
];

const attribute = {
  customAttributeId: z.int().describe('Id of the custom attribute.'),
  userId: z.int().nullable().describe('Id of the user who has it; null for those of groups and projects.'),
  groupId: z.int().nullable().describe('Id of the group that has it; null for those of users and projects.'),
  projectId: z
    .int()
    .nullable()
    .describe('Id of the project that has it; null for those of users and groups.'),
  key: personal(z.string().describe('Name of the attribute, unique for its owner.')),
};
const value = { value: personal(z.string().describe('What administrators set it to.')) };

const common = {
  version: 1,
  subject,
  service: 'admin',
  audit: privileged('Project', 'CustomAttribute'),
  activity: 'administration',
} as const;

export const CustomAttributeCreated = defineEvent({
  ...common,
  type: 'CustomAttributeCreated',
  description: 'A user, group or project got a custom attribute.',
  example: examples.CustomAttributeCreated,
  schema: z.object({ ...attribute, ...value }),
});

export const CustomAttributeUpdated = defineEvent({
  ...common,
  type: 'CustomAttributeUpdated',
  description: 'A custom attribute got another value.',
  example: examples.CustomAttributeUpdated,
  schema: z.object({ ...attribute, ...changed(value) }),
});

export const CustomAttributeDeleted = defineEvent({
  ...common,
  type: 'CustomAttributeDeleted',
  description: 'A custom attribute was deleted.',
  example: examples.CustomAttributeDeleted,
  schema: z.object(attribute),
});

export const customAttributeEvents = [
  CustomAttributeCreated,
  CustomAttributeUpdated,
  CustomAttributeDeleted,
] as const;
export type CustomAttributeEvent = EventOf<(typeof customAttributeEvents)[number]>;
