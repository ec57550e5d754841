import { describe, expect, test } from 'vitest';
import { configuredVariables, fits, variablesForRunner } from './levels.ts';
import { type ConfiguredVariable, NO_VARIABLES, publicVariable } from './variable.ts';

const variable = (
  key: string,
  value: string,
  more: Partial<ConfiguredVariable> = {},
): ConfiguredVariable => ({
  key,
  value,
  masked: false,
  file: false,
  protected: false,
  environmentScope: '*',
  ...more,
});
const everywhere = { isProtectedRef: true, environment: null };

test('the strongest level counts: pipeline, project, inner group, outer group, instance, configuration, predefined', () => {
  const levels = {
    instance: [
      variable('A', 'instance'),
      variable('B', 'instance'),
      variable('C', 'instance'),
      variable('D', 'instance'),
      variable('E', 'instance'),
    ],
    groups: [
      [variable('A', 'outer'), variable('B', 'outer'), variable('C', 'outer'), variable('D', 'outer')],
      [variable('A', 'inner'), variable('B', 'inner'), variable('C', 'inner')],
    ],
    project: [variable('A', 'project'), variable('B', 'project')],
    pipeline: [publicVariable('A', 'pipeline')],
  };
  const yaml = ['A', 'B', 'C', 'D', 'E', 'F', 'H'].map((key) => publicVariable(key, 'yaml'));
  const predefined = ['A', 'F', 'G'].map((key) => publicVariable(key, 'predefined'));
  const inherited = ['A', 'E', 'H'].map((key) => publicVariable(key, 'inherited'));
  const found = variablesForRunner({ predefined, yaml, inherited, levels }, everywhere);
  expect(Object.fromEntries(found.map(({ key, value }) => [key, value]))).toEqual({
    A: 'pipeline',
    B: 'project',
    C: 'inner',
    D: 'outer',
    E: 'instance',
    F: 'yaml',
    G: 'predefined',
    H: 'inherited',
  });
  expect(found).toHaveLength(8);
});

test('what comes from settings is not public, and keeps whether it is masked or a file', () => {
  const project = [variable('KEY', 'secret', { masked: true, file: true })];
  expect(configuredVariables({ ...NO_VARIABLES, project }, everywhere)).toEqual([
    { key: 'KEY', value: 'secret', public: false, masked: true, file: true },
  ]);
});

test('a protected variable is for protected refs alone', () => {
  const levels = { ...NO_VARIABLES, project: [variable('KEY', 'secret', { protected: true })] };
  expect(configuredVariables(levels, { isProtectedRef: false, environment: 'production' })).toEqual([]);
  expect(configuredVariables(levels, { isProtectedRef: true, environment: 'production' })).toHaveLength(1);
});

describe('environment scopes', () => {
  const project = [
    variable('URL', 'exact', { environmentScope: 'review/one' }),
    variable('URL', 'any'),
    variable('URL', 'review', { environmentScope: 'review/*' }),
  ];
  const urlFor = (environment: string | null) =>
    configuredVariables({ ...NO_VARIABLES, project }, { isProtectedRef: true, environment }).map(
      ({ value }) => value,
    );

  test('the most specific one counts', () => {
    expect(urlFor('review/one')).toEqual(['exact']);
    expect(urlFor('review/two')).toEqual(['review']);
    expect(urlFor('production')).toEqual(['any']);
    expect(urlFor(null)).toEqual(['any']);
  });

  test.each<[string, string | null, boolean]>([
    ['*', null, true],
    ['prod', null, false],
    ['prod', 'prod', true],
    ['prod', 'production', false],
    ['prod*', 'production', true],
    ['*/one', 'review/one', true],
    ['review/*/x', 'review/one/x', true],
    ['a*a', 'a', false],
    ['a*b*c', 'a-c-b', false],
    ['a*b*c', 'a-b-c', true],
    ['.*', 'x', false],
    ['**', 'x', true],
  ])('%s and %s: %s', (scope, environment, result) => {
    expect(fits(scope, environment)).toBe(result);
  });

  test('a scope of many stars ends at once', () => {
    expect(fits(`${'*a'.repeat(20_000)}b`, 'a'.repeat(40_000))).toBe(false);
  });
});
