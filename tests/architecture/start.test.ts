import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
/** Static imports and exports that are left once types are stripped. */
const LOADED = /^(?:import|export) (?!type )[^'";]*? from '([^']+)'|^import '([^']+)'/gms;

/** Names of the packages that a module loads before its first line runs. */
function packagesLoadedBy(program: string): Set<string> {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, from, alone] of readFileSync(file, 'utf8').matchAll(LOADED)) {
      const specifier = (from ?? alone)!;
      if (specifier.startsWith('.')) visit(resolve(dirname(file), specifier));
      else if (specifier.startsWith('@forgelog/')) visit(createRequire(file).resolve(specifier));
      else packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(specifier)![0]);
    }
  };
  visit(join(root, program));
  return packages;
}

/** Most servers use none of them, or only for some requests; each takes 20 to 100 ms of processor time to load. */
const SELDOM = [
  ...['mongodb', '@eventstore/db-client', 'kafkajs'],
  ...['@aws-sdk/client-s3', '@opentelemetry/sdk-node'],
  ...['openpgp', 'pkijs'],
];

test('a server in one process starts without packages that few use: these are loaded when they are', () => {
  const loaded = packagesLoadedBy('infra/src/system.ts');
  expect(loaded).toContain('express');
  expect(SELDOM.filter((name) => loaded.has(name))).toEqual([]);
});

test('a server in one process tells of wrong settings before it loads its services', () => {
  const loaded = packagesLoadedBy('infra/src/main.ts');
  expect(loaded).toContain('zod');
  expect(loaded).not.toContain('express');
});

test('a service apart loads the event store it needs, and no read store that is not configured', () => {
  const loaded = packagesLoadedBy('packages/host/src/run-service.ts');
  expect(loaded).toContain('@eventstore/db-client');
  expect(loaded).not.toContain('mongodb');
});

test('each of these packages is one of ours', () => {
  const manifests = [
    'packages/eventing',
    'packages/service-kit',
    'packages/object-store',
    'packages/signatures',
  ]
    .concat(['services/ci', 'services/gateway'])
    .map((folder) => join(root, folder, 'package.json'))
    .filter(existsSync)
    .map((file) => JSON.parse(readFileSync(file, 'utf8')).dependencies as Record<string, string>);
  const used = new Set(manifests.flatMap((dependencies) => Object.keys(dependencies)));
  expect(SELDOM.filter((name) => !used.has(name))).toEqual([]);
});
