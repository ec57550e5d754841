import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { cycloneDx } from './cyclonedx.ts';
import type { Dependency } from './dependency-lists.ts';

/** The published schema of CycloneDX 1.5. */
function publishedSchema() {
  const library = dirname(
    createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json'),
  );
  const read = (name: string) =>
    JSON.parse(readFileSync(join(library, 'res/schema', `${name}.SNAPSHOT.schema.json`), 'utf8'));
  const ajv = new Ajv({ strict: false, validateFormats: false });
  for (const name of ['spdx', 'jsf-0.82'])
    ajv.addSchema(read(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  return ajv.compile(read('bom-1.5'));
}

const project = { name: 'engines/crank', commit: 'a'.repeat(40) };
const of = (
  manager: Dependency['manager'],
  name: string,
  version: string | null,
  licenses: string[] = [],
) => ({
  ...{ manager, name, version, licenses, path: `of/${manager}` },
});

test('a list is valid by the published schema, with addresses that tools know', () => {
  const isValid = publishedSchema();
  const bom = cycloneDx(
    [
      of('npm', '@a/b', '1.0.0+x', ['MIT']),
      of('yarn', '@a/b', '1.0.0+x'),
      of('pip', 'Flask_Login.x', '3.0.0', ['(MIT OR Apache-2.0) AND BSD-3-Clause']),
      of('go', 'github.com/Azure/x', 'v1.0.0', ['Our own']),
      of('maven', 'org.acme/rocket', null),
      of('composer', 'a/b', '1', ['MIT', 'GPL-2.0-only']),
    ],
    project,
  ) as { components: { purl: string; properties: object[]; licenses?: object[] }[] };
  expect(isValid(bom), JSON.stringify(isValid.errors)).toBe(true);
  expect(bom.components.map(({ purl }) => purl)).toEqual([
    'pkg:npm/%40a/b@1.0.0%2Bx',
    'pkg:pypi/flask-login-x@3.0.0',
    'pkg:golang/github.com/azure/x@v1.0.0',
    'pkg:maven/org.acme/rocket',
    'pkg:composer/a/b@1',
  ]);
  expect(bom.components[0]!.properties.slice(1)).toEqual([
    { name: 'forgelog:dependency_file_path', value: 'of/npm' },
    { name: 'forgelog:package_manager', value: 'yarn' },
    { name: 'forgelog:dependency_file_path', value: 'of/yarn' },
  ]);
  expect(bom.components.map(({ licenses }) => licenses)).toEqual([
    [{ license: { id: 'MIT' } }],
    [{ expression: '(MIT OR Apache-2.0) AND BSD-3-Clause' }],
    [{ license: { name: 'Our own' } }],
    undefined,
    [{ license: { id: 'MIT' } }, { license: { id: 'GPL-2.0-only' } }],
  ]);
  const empty = cycloneDx([], { ...project, commit: null });
  expect(isValid(empty), JSON.stringify(isValid.errors)).toBe(true);
  for (const wrong of [{ bomFormat: 'x' }, { components: [{ type: 'library' }] }, { serialNumber: 'x' }])
    expect(isValid({ ...empty, ...wrong }), JSON.stringify(wrong)).toBe(false);
});

test('a list has a number of its own, which stays while it does', () => {
  const numberOf = (version: string, commit = project.commit) =>
    (cycloneDx([of('npm', 'a', version)], { ...project, commit }) as { serialNumber: string }).serialNumber;
  expect(numberOf('1.0.0')).toBe(numberOf('1.0.0'));
  expect(numberOf('1.0.1')).not.toBe(numberOf('1.0.0'));
  expect(numberOf('1.0.0', 'b'.repeat(40))).not.toBe(numberOf('1.0.0'));
});
