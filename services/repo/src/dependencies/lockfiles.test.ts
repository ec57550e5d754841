import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { PackageManager } from './dependency.ts';
import { packageManagerOf, readLockfile } from './lockfiles.ts';

const shown = (manager: PackageManager, text: string) =>
  readLockfile(manager, Buffer.from(text)).map(({ name, version, licenses = [] }) =>
    [`${name} ${version}`, ...licenses].join(', '),
  );

test('a lockfile is known by its name, outside of folders with what others wrote', () => {
  expect(
    [
      ...[
        'package-lock.json',
        'a/npm-shrinkwrap.json',
        'yarn.lock',
        'pnpm-lock.yaml',
        'requirements-dev.txt',
      ],
      ...['Pipfile.lock', 'poetry.lock', 'uv.lock', 'go.mod', 'Cargo.lock', 'a/b/pom.xml', 'composer.lock'],
      ...['Gemfile.lock', 'packages.lock.json', 'conan.lock'],
    ].map(packageManagerOf),
  ).toEqual('npm npm yarn pnpm pip pipenv poetry uv go cargo maven composer bundler nuget conan'.split(' '));
  const none = ['package.json', 'node_modules/a/yarn.lock', 'x/vendor/go.mod', 'my-yarn.lock', 'go.mod/x'];
  expect(none.map(packageManagerOf)).toEqual(none.map(() => undefined));
});

test('npm: places of packages, and nested packages of version 1', () => {
  const packages = {
    '': { name: 'own', version: '1.0.0' },
    'packages/member': { version: '1.0.0' },
    'node_modules/member': { resolved: 'packages/member', link: true },
    'node_modules/@a/b': { version: '1.2.3', license: 'MIT' },
    'node_modules/c': { version: '2.0.0', license: { type: 'ISC' } },
    'node_modules/@a/b/node_modules/c': { version: '1.0.0' },
    'node_modules/alias': { name: 'real', version: '3.0.0' },
    'packages/member/node_modules/c': { version: '2.0.0', license: 'ISC' },
  };
  expect(shown('npm', JSON.stringify({ lockfileVersion: 3, packages }))).toEqual([
    '@a/b 1.2.3, MIT',
    'c 2.0.0, ISC',
    'c 1.0.0',
    'real 3.0.0',
  ]);
  const dependencies = { a: { version: '1.0.0', dependencies: { b: { version: '2.0.0' } } } };
  expect(shown('npm', JSON.stringify({ lockfileVersion: 1, dependencies }))).toEqual(['a 1.0.0', 'b 2.0.0']);
});

test('yarn: the format of version 1, and YAML of later ones', () => {
  const classic = `# yarn lockfile v1


"@a/b@^1.0.0", "@a/b@^1.1.0":
  version "1.2.0"
  resolved "https://registry.example.org/b.tgz"
  dependencies:
    version "^9.0.0"

alias@npm:real@^2:
  version "2.0.1"

c@~3:
  version "3.0.0"
`;
  expect(shown('yarn', classic)).toEqual(['@a/b 1.2.0', 'real 2.0.1', 'c 3.0.0']);
  const berry = `__metadata:
  version: 8

"@a/b@npm:^1.0.0, @a/b@npm:^1.1.0":
  version: 1.2.0
  resolution: "@a/b@npm:1.2.0"

"alias@npm:real@^2":
  version: 2.0.1
  resolution: "real@npm:2.0.1"

"own@workspace:.":
  version: 0.0.0-use.local
  resolution: "own@workspace:."
`;
  expect(shown('yarn', berry)).toEqual(['@a/b 1.2.0', 'real 2.0.1']);
});

test('pnpm: keys of versions 5, 6 and 9, in one document or two', () => {
  const own = "---\nlockfileVersion: '9.0'\npackages:\n  pnpm@11.0.0:\n    resolution: {integrity: x}\n---\n";
  const nine = "lockfileVersion: '9.0'\npackages:\n  '@a/b@1.2.3': {}\n  c@2.0.0-rc.1: {}\n";
  expect(shown('pnpm', nine)).toEqual(['@a/b 1.2.3', 'c 2.0.0-rc.1']);
  expect(shown('pnpm', own + nine)).toEqual(['pnpm 11.0.0', '@a/b 1.2.3', 'c 2.0.0-rc.1']);
  expect(shown('pnpm', "packages:\n  '/@a/b@1.2.3(react@18.0.0)': {}\n  /c@2.0.0: {}\n")).toEqual([
    '@a/b 1.2.3',
    'c 2.0.0',
  ]);
  expect(shown('pnpm', 'packages:\n  /@a/b/1.2.3_react@18.0.0: {}\n  /c/2.0.0: {}\n')).toEqual([
    '@a/b 1.2.3',
    'c 2.0.0',
  ]);
});

test('Python: pinned requirements, and lockfiles of three managers', () => {
  const requirements = `# comment==1.0
-r other.txt
django==4.2.1
Requests[security, socks] == 2.31.0 ; python_version > "3" # why
hashed==1.0 \\
    --hash=sha256:00
ranged>=1.0
wild==1.*
both==1.0,!=1.1
`;
  expect(shown('pip', requirements)).toEqual(['django 4.2.1', 'Requests 2.31.0', 'hashed 1.0']);
  const pipenv = {
    default: { a: { version: '==1.0' }, git: { ref: 'x' } },
    develop: { b: { version: '===2.0' } },
  };
  expect(shown('pipenv', JSON.stringify(pipenv))).toEqual(['a 1.0', 'b 2.0']);
  expect(
    shown('poetry', '[[package]]\nname = "a"\nversion = "1.0"\n[[package]]\nname = "b"\nversion = "2"\n'),
  ).toEqual(['a 1.0', 'b 2']);
  const uv = `version = 1
[[package]]
name = "own"
version = "0.1.0"
source = { editable = "." }
[[package]]
name = "sister"
version = "0.1.0"
source = { directory = "../sister" }
[[package]]
name = "a"
version = "1.0"
source = { registry = "https://registry.example.org/simple" }
`;
  expect(shown('uv', uv)).toEqual(['a 1.0']);
});

test('Go: required modules, with replacements', () => {
  const file = `module example.org/own // comment
go 1.22
require example.org/one v1.0.0
require (
	example.org/two v2.0.0 // indirect
	example.org/old v1.0.0
	example.org/local v1.0.0
	"example.org/quoted" v0.1.0
)
exclude example.org/never v1.0.0
replace example.org/old v1.0.0 => example.org/new v1.1.0
replace (
	example.org/local => ../local
	example.org/two v9.9.9 => example.org/other v1.0.0
)
`;
  expect(shown('go', file)).toEqual([
    'example.org/one v1.0.0',
    'example.org/two v2.0.0',
    'example.org/new v1.1.0',
    'example.org/quoted v0.1.0',
  ]);
});

test('Cargo, Composer, Bundler, NuGet and Conan', () => {
  const cargo = `[[package]]
name = "own"
version = "0.1.0"
[[package]]
name = "serde"
version = "1.0.200"
source = "registry+https://registry.example.org"
`;
  expect(shown('cargo', cargo)).toEqual(['serde 1.0.200']);
  const composer = {
    packages: [{ name: 'a/b', version: 'v1.0.0', license: ['MIT', 'GPL-2.0-only'] }],
    'packages-dev': [{ name: 'c/d', version: '2.0.0' }],
  };
  expect(shown('composer', JSON.stringify(composer))).toEqual(['a/b v1.0.0, MIT, GPL-2.0-only', 'c/d 2.0.0']);
  const bundler = `PATH
  remote: .
  specs:
    own (0.1.0)

GEM
  remote: https://registry.example.org/
  specs:
    nokogiri (1.16.0-x86_64-linux)
      racc (~> 1.4)
    racc (1.7.3)

DEPENDENCIES
    own (0.2.0)
`;
  expect(shown('bundler', bundler)).toEqual(['nokogiri 1.16.0', 'racc 1.7.3']);
  const nuget = {
    version: 1,
    dependencies: {
      'net8.0': { A: { type: 'Direct', resolved: '1.0.0' }, Own: { type: 'Project' } },
      'net9.0': { A: { type: 'Direct', resolved: '1.0.0' }, B: { type: 'Transitive', resolved: '2.0.0' } },
    },
  };
  expect(shown('nuget', JSON.stringify(nuget))).toEqual(['A 1.0.0', 'B 2.0.0']);
  expect(
    shown('conan', JSON.stringify({ requires: ['zlib/1.3#ab%1.0'], build_requires: ['cmake/3.1#c'] })),
  ).toEqual(['zlib 1.3', 'cmake 3.1']);
  const nodes = { 0: { ref: null }, 1: { ref: 'zlib/1.2@user/channel#0' } };
  expect(shown('conan', JSON.stringify({ graph_lock: { nodes } }))).toEqual(['zlib 1.2']);
});

test('Maven: direct dependencies, with versions of properties and of the management', () => {
  const pom = `<?xml version="1.0"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <parent><groupId>org.parent</groupId><version>7</version></parent>
  <artifactId>own</artifactId>
  <properties><a.version>1.0</a.version><loop>\${loop}</loop></properties>
  <dependencyManagement><dependencies>
    <dependency><groupId>g</groupId><artifactId>managed</artifactId><version>3.0</version></dependency>
  </dependencies></dependencyManagement>
  <dependencies>
    <dependency><groupId>g</groupId><artifactId>a</artifactId><version>\${a.version}</version>
      <exclusions><exclusion><groupId>x</groupId><artifactId>y</artifactId></exclusion></exclusions></dependency>
    <dependency><groupId>g</groupId><artifactId>managed</artifactId></dependency>
    <dependency><groupId>\${project.groupId}</groupId><artifactId>sister</artifactId><version>\${project.version}</version></dependency>
    <dependency><groupId>g</groupId><artifactId>elsewhere</artifactId></dependency>
    <dependency><groupId>g</groupId><artifactId>loop</artifactId><version>\${loop}</version></dependency>
  </dependencies>
</project>`;
  expect(shown('maven', pom)).toEqual([
    'g/a 1.0',
    'g/managed 3.0',
    'org.parent/sister 7',
    'g/elsewhere null',
    'g/loop null',
  ]);
});

const root = resolve(import.meta.dirname, '../../../..');
const own = (path: string) => readLockfile(packageManagerOf(path)!, readFileSync(resolve(root, path)));

test('what pnpm installed here is what its lockfile names', () => {
  const named = new Set(own('pnpm-lock.yaml').map(({ name, version }) => `${name}@${version}`));
  const installed = globSync('node_modules/.pnpm/*@*', { cwd: root })
    .map((folder) => folder.slice(folder.lastIndexOf('/') + 1).replace('+', '/'))
    .map((folder) => /^(@?[^@]+@[^_(]+)/.exec(folder)![1]!);
  expect(installed.length).toBeGreaterThan(200);
  expect(installed.filter((one) => !named.has(one))).toEqual([]);
});

test('lockfiles of npm, Cargo and Maven in this repository are read whole', () => {
  const crates = readFileSync(resolve(root, 'infra/local/shell-runner/Cargo.lock'), 'utf8');
  expect(own('infra/local/shell-runner/Cargo.lock')).toHaveLength(crates.match(/^source = /gm)!.length);
  const { packages } = JSON.parse(readFileSync(resolve(root, 'infra/containers/package-lock.json'), 'utf8'));
  const direct: string[] = Object.keys(packages['']!.dependencies ?? packages['']!.devDependencies);
  const names = own('infra/containers/package-lock.json').map(({ name }) => name);
  expect(direct.length).toBeGreaterThan(0);
  expect(names).toEqual(expect.arrayContaining(direct));
  expect(own('infra/local/kafka/pom.xml').map(({ name }) => name)).toContain('org.apache.kafka/kafka_2.13');
});

test.each<[PackageManager, string]>([
  ['npm', ''],
  ['npm', '['.repeat(100_000)],
  ['npm', '{"packages":[1,null],"dependencies":7}'],
  ['npm', '{"packages":{"node_modules/__proto__":null,"node_modules/a":{"version":{"a":1}}}}'],
  ['npm', '{"dependencies":{"a":{"dependencies":"b"}}}'],
  ['pnpm', 'packages: [1, {}]'],
  ['pnpm', 'a: &a [x, x]\nb: &b [*a, *a]\npackages: {*b : 1}'],
  ['pnpm', '['.repeat(50_000)],
  ['yarn', '__metadata:\n  - [\n'],
  ['yarn', `${'"'.repeat(10_000)}\n  version`],
  ['cargo', 'package = 7'],
  ['cargo', `a = ${'['.repeat(50_000)}`],
  ['poetry', '[[package]]\nname = 1\nversion = true'],
  ['pip', `a${' '.repeat(100_000)}=1`],
  ['go', `require (\n${'('.repeat(1000)}`],
  ['maven', '<!DOCTYPE a [<!ENTITY b "c">]><project><dependencies>&b;'],
  ['maven', '<project>'.repeat(100_000)],
  ['composer', 'null'],
  ['nuget', '{"dependencies":{"a":[{"b":1}]}}'],
  ['conan', '{"requires":[{},7,"zlib"]}'],
  ['bundler', '\0\uFFFF'],
])('a file of %s that is not in its form names nothing (%#)', (manager, text) => {
  expect(shown(manager, text)).toEqual([]);
});
