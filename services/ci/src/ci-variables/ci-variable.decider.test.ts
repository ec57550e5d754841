import type { CiVariableEvent } from '@forgelog/contracts/ci/ci-variables/ci-variable.events.ts';
import { createSealer } from '@forgelog/service-kit/sealed.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { expect, test } from 'vitest';
import {
  type CiVariableCommand,
  ciVariableDecider as decider,
  variablesStream,
} from './ci-variable.decider.ts';

const sealer = createSealer(() => Buffer.alloc(32), 'test');
const sealed = (value: string, isMaskable = true) => ({ sealedValue: sealer.seal('x', value), isMaskable });
const place = { projectId: 7, groupId: null };
const plain = { variableType: 'env_var', protected: false, masked: false, environmentScope: '*' } as const;
const secret = sealed('secret-value');

const variable = (variableId: number, more: object = {}) =>
  ({ ...place, variableId, key: 'KEY', ...plain, ...secret, ...more }) as const;
const added = (variableId: number, more: object = {}): CiVariableEvent => ({
  type: 'CiVariableAdded',
  data: variable(variableId, more),
});
const add = (variableId: number, more: object = {}) =>
  ({ type: 'AddCiVariable', ...variable(variableId, more) }) as CiVariableCommand;
const named = { ...place, key: 'KEY', environmentScope: undefined };
const change = (changes: object, value?: ReturnType<typeof sealed>, environmentScope?: string) =>
  ({
    type: 'ChangeCiVariable',
    ...named,
    environmentScope,
    changes: {
      ...{ variableType: undefined, protected: undefined, masked: undefined, environmentScope: undefined },
      ...changes,
    },
    value,
  }) as CiVariableCommand;
const remove = (environmentScope?: string): CiVariableCommand => ({
  type: 'RemoveCiVariable',
  ...named,
  environmentScope,
});
const removed: CiVariableEvent = { type: 'CiVariableRemoved', data: { ...place, variableId: 1, key: 'KEY' } };
const fields = (message: object) => ['validation_failed', { message }] as const;

test('each place has a stream of its own', () => {
  expect(variablesStream(place)).toBe('variables-project-7');
  expect(variablesStream({ projectId: null, groupId: 3 })).toBe('variables-group-3');
  expect(variablesStream({ projectId: null, groupId: null })).toBe('variables-instance');
});

test('a key is taken once for each environment scope', () => {
  given(decider).when(add(1)).thenEvents(added(1));
  given(decider, added(1))
    .when(add(2))
    .thenRejected(...fields({ key: ['(KEY) has already been taken'] }));
  const scoped = { environmentScope: 'production' };
  given(decider, added(1)).when(add(2, scoped)).thenEvents(added(2, scoped));
  given(decider, added(1), removed).when(add(2)).thenEvents(added(2));
  given(decider, added(1), added(2, scoped))
    .when(change({ environmentScope: '*' }, undefined, 'production'))
    .thenRejected(...fields({ key: ['(KEY) has already been taken'] }));
});

test.each([
  ['', ["can't be blank", "can contain only letters, digits and '_'."]],
  ['A-B', ["can contain only letters, digits and '_'."]],
  ['A\nB', ["can contain only letters, digits and '_'."]],
  ['A'.repeat(256), ['is too long (maximum is 255 characters)']],
])('the key %j is refused', (key, problems) => {
  given(decider)
    .when(add(1, { key }))
    .thenRejected(...fields({ key: problems }));
});

test('an environment scope is the name of an environment, with stars', () => {
  const environmentScope = 'review/*-$USER.x y_1';
  given(decider).when(add(1, { environmentScope })).thenEvents(added(1, { environmentScope }));
  const rule = "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', '*' and spaces";
  given(decider)
    .when(add(1, { environmentScope: 'a?' }))
    .thenRejected(...fields({ environment_scope: [rule] }));
});

test('only a value that runners can hide is masked, whichever of both changes', () => {
  const invalid = fields({ value: ['is invalid'] });
  const open = sealed('short', false);
  given(decider)
    .when(add(1, { ...open, masked: true }))
    .thenRejected(...invalid);
  given(decider, added(1, open))
    .when(change({ masked: true }))
    .thenRejected(...invalid);
  given(decider, added(1, { masked: true }))
    .when(change({}, open))
    .thenRejected(...invalid);
  given(decider, added(1, open), {
    type: 'CiVariableChanged',
    data: { ...place, variableId: 1, key: 'KEY', changes: secret, previous: {}, withheldChanges: ['value'] },
  })
    .when(change({ masked: true }))
    .thenEvents({
      type: 'CiVariableChanged',
      data: {
        ...{ ...place, variableId: 1, key: 'KEY', withheldChanges: [] },
        ...{ changes: { masked: true }, previous: { masked: false } },
      },
    });
});

test('a change tells old and new attributes, and of the value only that it changed', () => {
  const value = sealed('other-value');
  given(decider, added(1))
    .when(change({ protected: true, masked: false }, value))
    .thenEvents({
      type: 'CiVariableChanged',
      data: {
        ...{ ...place, variableId: 1, key: 'KEY', withheldChanges: ['value'] },
        ...{ changes: { protected: true, ...value }, previous: { protected: false } },
      },
    });
  given(decider, added(1))
    .when(change({ protected: false }))
    .thenEvents();
});

test('a key that several have needs the scope', () => {
  const both = [added(1), added(2, { environmentScope: 'production' })];
  const ambiguous = [
    'conflict',
    {
      message:
        "There are multiple variables with provided parameters. Please use 'filter[environment_scope]'",
    },
  ] as const;
  given(decider, ...both)
    .when(remove())
    .thenRejected(...ambiguous);
  given(decider, ...both)
    .when(change({ protected: true }))
    .thenRejected(...ambiguous);
  given(decider, ...both)
    .when(remove('*'))
    .thenEvents(removed);
  given(decider, ...both)
    .when(remove('staging'))
    .thenRejected('not_found');
  given(decider, added(1), removed).when(remove()).thenRejected('not_found');
});

test('values and their number are bounded', () => {
  const most = sealed('x'.repeat(262_144));
  const tooLong = ['is too long (maximum is 262144 bytes)'];
  given(decider).when(add(1, most)).thenEvents(added(1, most));
  given(decider)
    .when(add(1, sealed('x'.repeat(262_145))))
    .thenRejected(...fields({ value: tooLong }));
  given(decider)
    .when(add(1, sealed('é'.repeat(131_073))))
    .thenRejected(...fields({ value: tooLong }));
  const sixteen = Array.from({ length: 16 }, (_, index) => added(index, { key: `K${index}`, ...most }));
  given(decider, ...sixteen)
    .when(add(99))
    .thenRejected(...fields({ base: ['Values of all variables are too long (maximum is 4194304 bytes)'] }));
  const thousand = Array.from({ length: 1000 }, (_, index) => added(index, { key: `K${index}` }));
  given(decider, ...thousand)
    .when(add(1001))
    .thenRejected(...fields({ base: ['Maximum number of variables (1000) exceeded'] }));
});
