import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const sources = globSync(['{packages,services,infra}/**/src/**/*.ts', 'infra/local/**/*.ts'], { cwd: root })
  .filter((file) => !file.includes('node_modules'))
  .sort();

interface Import {
  from: string;
  to: string;
}

/** Every import between files of this repository, as paths from its root; npm packages are left out. */
const imports: Import[] = sources.flatMap((file) => {
  const text = readFileSync(join(root, file), 'utf8');
  return [
    ...text.matchAll(/^(?:import|export)[^'"]*?from '([^']+)'|^import '([^']+)'|import\('([^']+)'\)/gms),
  ]
    .map((match) => target(file, match[1] ?? match[2] ?? match[3] ?? ''))
    .filter((to) => to !== null)
    .map((to) => ({ from: file, to }));
});

function target(file: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return relative(root, resolve(root, dirname(file), specifier));
  const own = /^@forgelog\/([\w-]+)\/(.+)$/.exec(specifier);
  if (!own) return null;
  const [, name, path] = own;
  const folder = existsSync(join(root, 'packages', name!))
    ? `packages/${name}`
    : name === 'infra'
      ? 'infra'
      : `services/${name}`;
  return `${folder}/src/${path}`;
}

const home = (file: string) => /^(packages\/[\w-]+|services\/[\w-]+|infra)/.exec(file)![1]!;

/** What each part may import; itself always. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'packages/contracts': [],
  'packages/eventing': ['packages/contracts'],
  'packages/git': [],
  'packages/replica': [],
  'packages/ci-config': [],
  'packages/signatures': [],
  'packages/object-store': ['packages/eventing'],
  'packages/service-kit': ['packages/contracts', 'packages/eventing', 'packages/object-store'],
  'packages/directory': [
    'packages/contracts',
    'packages/eventing',
    'packages/object-store',
    'packages/service-kit',
  ],
  'packages/host': [
    'packages/contracts',
    'packages/eventing',
    'packages/object-store',
    'packages/service-kit',
    'packages/directory',
  ],
  'packages/testing': [
    'packages/contracts',
    'packages/eventing',
    'packages/object-store',
    'packages/service-kit',
    'packages/directory',
  ],
  'services/repo': [
    'packages/contracts',
    'packages/eventing',
    'packages/git',
    'packages/object-store',
    'packages/signatures',
    'packages/service-kit',
    'packages/directory',
  ],
  'services/admin': [
    'packages/contracts',
    'packages/eventing',
    'packages/signatures',
    'packages/service-kit',
    'packages/directory',
  ],
  'services/ci': [
    'packages/contracts',
    'packages/eventing',
    'packages/object-store',
    'packages/ci-config',
    'packages/service-kit',
    'packages/directory',
  ],
  services: ['packages/contracts', 'packages/eventing', 'packages/service-kit', 'packages/directory'],
};

/** Made for tests and development: fixtures, contract suites, servers that stand in for real ones. */
const standsIn = (file: string) =>
  file.includes('/testing/') || file.startsWith('packages/testing/') || file.startsWith('infra/local/');
const forTests = (file: string) => file.endsWith('.test.ts') || standsIn(file);

/** Where a service becomes part of a host: the only places of a service that know how hosts are put together. */
const isComposition = (file: string) =>
  /^services\/[\w-]+\/src\/(main|gateway-host|gateway-edge)\.ts$/.test(file);

test('there is something to check', () => {
  expect(sources.length).toBeGreaterThan(80);
  expect(imports.length).toBeGreaterThan(200);
});

test('every import leads to a file that exists', () => {
  const known = new Set(sources);
  expect(
    imports.filter(({ to }) => to.endsWith('.ts') && !known.has(to) && !to.startsWith('tests/')),
  ).toEqual([]);
});

test('parts import only what their layer may know, and no service another', () => {
  const wrong = imports.filter(({ from, to }) => {
    const [part, other] = [home(from), home(to)];
    if (part === other || part === 'infra') return false;
    if (other === 'packages/host') return !isComposition(from);
    if (other === 'packages/testing') return !forTests(from);
    if (forTests(from) && to.startsWith('infra/local/')) return false;
    const allowed = ALLOWED[part] ?? ALLOWED.services!;
    return !allowed.includes(other);
  });
  expect(wrong).toEqual([]);
});

test('the replica knows what the server publishes, and none of its packages', () => {
  const replica = sources.filter((file) => home(file) === 'packages/replica' && !forTests(file));
  expect(replica.length).toBeGreaterThan(20);
  expect(
    imports.filter(({ from, to }) => home(from) !== home(to) && from.startsWith('packages/replica')),
  ).toEqual([]);
  const used = new Set(replica.flatMap(packagesOf));
  expect([...used]).toEqual(['eventsource-parser']);
});

test('the machinery knows the form of events, and no resource', () => {
  const known = [
    ...['event.ts', 'event-subject.ts', 'lifetime.ts', 'shared/epoch.events.ts', 'shared/id.events.ts'],
    'shared/records-ended.events.ts',
  ].map((file) => `packages/contracts/src/${file}`);
  const wrong = imports.filter(
    ({ from, to }) =>
      home(from) === 'packages/eventing' &&
      home(to) === 'packages/contracts' &&
      !forTests(from) &&
      !known.includes(to),
  );
  expect(wrong).toEqual([]);
});

test('what runs in production imports nothing made for tests and development', () => {
  expect(imports.filter(({ from, to }) => !forTests(from) && standsIn(to))).toEqual([]);
});

test('deciders are pure: they know events, errors and other pure code alone', () => {
  const wrong = imports.filter(
    ({ from, to }) =>
      from.endsWith('.decider.ts') &&
      /\.(projection|routes|policy)\.ts$|adapters\/|service-ports|command-handler|read-store/.test(to),
  );
  expect(wrong).toEqual([]);
});

test('the language of pipelines is pure: it reads no file, opens no socket and knows no clock', () => {
  const files = sources.filter((file) => home(file) === 'packages/ci-config' && !forTests(file));
  expect(files.length).toBeGreaterThan(40);
  const impure = files.filter((file) =>
    /from 'node:|\bprocess\.|\bDate\.now\(|\bnew Date\(|\bfetch\(|Math\.random\(/.test(
      readFileSync(join(root, file), 'utf8'),
    ),
  );
  expect(impure).toEqual([]);
});

test('only the places that choose them import adapters', () => {
  const wrong = imports.filter(
    ({ from, to }) =>
      to.includes('/adapters/') &&
      !from.includes('/adapters/') &&
      !from.endsWith('.test.ts') &&
      !from.startsWith('infra/') &&
      !from.startsWith('packages/host/') &&
      !from.includes('/testing/'),
  );
  expect(wrong).toEqual([]);
});

test('no imports in a circle', () => {
  const next = new Map<string, string[]>();
  for (const { from, to } of imports) next.set(from, [...(next.get(from) ?? []), to]);
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) {
      circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
      return;
    }
    if (done.has(file)) return;
    for (const to of next.get(file) ?? []) visit(to, [...path, file]);
    done.add(file);
  };
  for (const file of sources) visit(file, []);
  expect(circles).toEqual([]);
});

test('what runs in production imports packages that its own package.json names', () => {
  const missing = sources
    .filter((file) => !forTests(file))
    .flatMap((file) => {
      const { name, dependencies = {} } = manifestOf(home(file));
      return packagesOf(file)
        .filter((other) => other !== name && !(other in dependencies))
        .map((other) => `${file}: ${other}`);
    });
  expect(
    missing,
    'add it to the package.json of its folder: the packages of the root are those of the tests',
  ).toEqual([]);
});

/** Names of the packages that a file imports at run time. */
function packagesOf(file: string): string[] {
  const found = readFileSync(join(root, file), 'utf8').matchAll(
    /^(?:import|export) (?!type )[^'";]*? from '([^'.][^']*)'|^import '([^'.][^']*)'/gms,
  );
  return [...found]
    .map(([, named, bare]) => (named ?? bare)!)
    .filter((specifier) => !specifier.startsWith('node:'))
    .map((specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)![0]);
}

function manifestOf(part: string): { name: string; dependencies?: Record<string, string> } {
  return JSON.parse(readFileSync(join(root, part, 'package.json'), 'utf8'));
}
