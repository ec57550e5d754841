import { defineEvent, privileged } from '@forgelog/contracts/event.ts';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { auditRules } from './audit.rules.ts';

const rest = {
  service: 'test',
  activity: 'unnamed',
  schema: z.object({ deployKeyId: z.int(), projectId: z.int() }),
  version: 1,
  description: 'Something happened to a key.',
  subject: 'deployKey-<deployKeyId>',
} as const;
const definitions = ['Created', 'Updated', 'Deleted', 'Paused'].map((what) =>
  defineEvent({ ...rest, type: `DeployKey${what}`, audit: privileged('Project', 'DeployKey') }),
);
const ThingSeen = defineEvent({ ...rest, type: 'ThingSeen', audit: 'system' });

const entry = (what: string, data: object) =>
  auditRules(definitions, [])
    .get(`DeployKey${what}`)!
    .describe({ data }, {} as never);
const key = { deployKeyId: 3, projectId: 7 };
const about = {
  entity: { type: 'Project', id: 7 },
  target: { type: 'DeployKey', id: 3, details: 'Deploy key 3' },
};

test('a privileged event is described by its contract', async () => {
  expect(await entry('Created', key)).toEqual({
    ...about,
    message: 'Created deploy key 3',
    add: 'deploy_key',
  });
  expect(await entry('Deleted', key)).toEqual({ ...about, message: 'Deleted deploy key 3' });
  expect(await entry('Paused', key)).toEqual({ ...about, message: 'Paused deploy key 3' });
});

test('what is of a group or a project is told of the one that has it', async () => {
  const deployTokenId = 4;
  const of = async (type: string, place: object) =>
    (
      await auditRules()
        .get(type)!
        .describe({ data: { deployTokenId, ...place } }, {} as never)
    )?.entity;
  const [ofProject, ofGroup] = [
    { projectId: 7, groupId: null },
    { projectId: null, groupId: 8 },
  ];
  expect(await of('DeployTokenCreated', ofProject)).toEqual({ type: 'Project', id: 7 });
  expect(await of('DeployTokenCreated', ofGroup)).toEqual({ type: 'Group', id: 8 });
  expect(await of('DeployTokenDeleted', ofGroup)).toEqual({ type: 'Group', id: 8 });
});

test('a change has the field names of the API', async () => {
  expect(await entry('Updated', { ...key, changes: { canPush: true, title: 'x' } })).toEqual({
    ...about,
    message: 'Changed deploy key 3: can_push, title',
    change: 'can_push, title',
  });
});

test('a target with a name is described by it', async () => {
  expect(await entry('Created', { ...key, name: 'laptop' })).toMatchObject({
    target: { details: 'laptop' },
    message: 'Created deploy key laptop',
  });
});

test('an event without an id that its audit event names is refused', () => {
  const schema = z.object({ keyId: z.int(), projectId: z.int() });
  const type = 'DeployKeyLent';
  const lent = defineEvent({ ...rest, type, schema, audit: privileged('Project', 'DeployKey') });
  expect(() => auditRules([lent], [])).toThrow('event DeployKeyLent: its data has no deployKeyId');
  const rule = { type, describe: async () => ({}) as never };
  expect(auditRules([lent], [rule]).get(type)).toBe(rule);
});

test('exactly the privileged events have a rule', () => {
  expect([...auditRules([...definitions, ThingSeen], []).keys()]).toEqual(
    definitions.map(({ type }) => type),
  );
  const rule = { type: 'ThingSeen', describe: async () => ({}) as never };
  expect(() => auditRules([ThingSeen], [rule])).toThrow(/ThingSeen has an audit rule and is not privileged/);
});
