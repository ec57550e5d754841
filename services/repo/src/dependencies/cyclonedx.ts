import { hash } from 'node:crypto';
import spdx from 'spdx-license-list/simple.js';
import type { PackageManager } from './dependency.ts';
import type { Dependency } from './dependency-lists.ts';

interface BomSubject {
  /** Full path of the project. */
  name: string;
  /** null for a project without commits. */
  commit: string | null;
}

/**
 * A list of what a project depends on, as CycloneDX 1.5 has it. A package that several lockfiles name is there once. The
 * same packages of the same commit are the same list, to the byte.
 */
export function cycloneDx(dependencies: readonly Dependency[], { name, commit }: BomSubject): object {
  const components = new Map<string, Component>();
  for (const dependency of dependencies) {
    const purl = packageUrl(dependency);
    const known = components.get(purl);
    if (known) known.properties.push(...placesOf(dependency));
    else components.set(purl, componentOf(dependency, purl));
  }
  const listed = [...components.values()];
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${uuidOf([name, commit, listed])}`,
    version: 1,
    metadata: {
      tools: { components: [{ type: 'application', name: 'Forgelog' }] },
      component: { type: 'application', 'bom-ref': 'project', name, ...(commit && { version: commit }) },
    },
    components: listed,
  };
}

/** Makes a UUID of version 8 (RFC 9562) from what it names. */
function uuidOf(content: unknown): string {
  const digest = hash('sha256', JSON.stringify(content), 'hex');
  const parts = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(12, 15)}`,
    `8${digest.slice(15, 18)}`,
  ];
  return [...parts, digest.slice(18, 30)].join('-');
}

type Property = { name: string; value: string };
type License = { expression: string } | { license: { id: string } | { name: string } };

interface Component {
  type: 'library';
  'bom-ref': string;
  name: string;
  version?: string;
  licenses?: License[];
  purl: string;
  properties: Property[];
}

function componentOf(dependency: Dependency, purl: string): Component {
  const { name, version, licenses = [] } = dependency;
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    ...(version !== null && { version }),
    ...(licenses.length > 0 && { licenses: licensesOf(licenses) }),
    purl,
    properties: placesOf(dependency),
  };
}

const placesOf = ({ manager, path }: Dependency): Property[] => [
  { name: 'forgelog:package_manager', value: manager },
  { name: 'forgelog:dependency_file_path', value: path },
];

/** An expression stands alone; a name is an id where SPDX has it. */
function licensesOf(named: readonly string[]): License[] {
  const [first, ...others] = named;
  if (first !== undefined && others.length === 0 && / (?:AND|OR|WITH) /.test(first))
    return [{ expression: first }];
  return named.map((name) => ({ license: spdx.has(name) ? { id: name } : { name } }));
}

const TYPES: Readonly<Record<PackageManager, string>> = {
  bundler: 'gem',
  composer: 'composer',
  conan: 'conan',
  maven: 'maven',
  npm: 'npm',
  pip: 'pypi',
  yarn: 'npm',
  cargo: 'cargo',
  go: 'golang',
  nuget: 'nuget',
  pipenv: 'pypi',
  pnpm: 'npm',
  poetry: 'pypi',
  uv: 'pypi',
};
/** Kinds of packages whose names are the same in any case. */
const IN_LOWER_CASE = new Set(['composer', 'golang', 'pypi']);

/** The address that tools know a package by (ECMA-427). */
function packageUrl({ manager, name, version }: Dependency): string {
  const type = TYPES[manager];
  const lower = IN_LOWER_CASE.has(type) ? name.toLowerCase() : name;
  const written = type === 'pypi' ? lower.replace(/[-_.]+/g, '-') : lower;
  const path = written.split('/').filter(Boolean).map(encodeURIComponent).join('/');
  return `pkg:${type}/${path}${version === null ? '' : `@${encodeURIComponent(version)}`}`;
}
