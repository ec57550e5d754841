import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { changedWithheld } from '../../shared/changes.ts';
import examples from './ci-variable.events.examples.json' with { type: 'json' };

/** All variables of one place are one stream, because names are unique in it. */
const subject = ['variables-project-<projectId>', 'variables-group-<groupId>', 'variables-instance'];

const variable = {
  variableId: z.int().describe('Id of the variable.'),
  projectId: z.int().nullable().describe('Id of the project whose variable it is; null for others.'),
  groupId: z.int().nullable().describe('Id of the group whose variable it is; null for others.'),
  key: personal(z.string().describe('Name of the variable.')),
};
const attributes = {
  variableType: z
    .enum(['env_var', 'file'])
    .describe('Whether jobs get the value, or the path of a file with it.'),
  protected: z.boolean().describe('Whether only jobs of protected branches and tags get it.'),
  masked: z.boolean().describe('Whether logs of jobs hide the value.'),
  environmentScope: personal(
    z.string().describe('Name of the environments whose jobs get it; `*` stands for any text.'),
  ),
};
const value = {
  sealedValue: z.string().describe('The value, which only the instance can open; never published.'),
  isMaskable: z.boolean().describe('Whether the value could be masked; never published.'),
};

const common = {
  subject,
  service: 'ci',
  audit: privileged('Project', 'CiVariable'),
  activity: 'unnamed',
  withheld: ['sealedValue', 'isMaskable'],
} as const;

export const CiVariableAdded = defineEvent({
  ...common,
  type: 'CiVariableAdded',
  version: 1,
  description: 'A project, a group or the instance got a variable for its jobs; values are never published.',
  example: examples.CiVariableAdded,
  schema: z.object({ ...variable, ...attributes, ...value }),
});

export const CiVariableChanged = defineEvent({
  ...common,
  type: 'CiVariableChanged',
  version: 1,
  description: 'The value or attributes of a variable for jobs changed; values are never published.',
  example: examples.CiVariableChanged,
  schema: z.object({ ...variable, ...changedWithheld(attributes, value, ['value']) }),
});

export const CiVariableRemoved = defineEvent({
  ...common,
  type: 'CiVariableRemoved',
  version: 1,
  description: 'A variable for jobs was deleted.',
  example: examples.CiVariableRemoved,
  schema: z.object(variable),
});

export const ciVariableEvents = [CiVariableAdded, CiVariableChanged, CiVariableRemoved] as const;
export type CiVariableEvent = EventOf<(typeof ciVariableEvents)[number]>;
