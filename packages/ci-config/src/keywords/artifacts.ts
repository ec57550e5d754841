import type { Artifacts } from '../configuration.ts';
import { type MapNode, scalarNode } from '../document/node.ts';
import type { Location } from './location.ts';
import {
  attribute,
  boolean,
  duration,
  oneOf,
  part,
  type Reader,
  readFields,
  scalarText,
  text,
  textOrTexts,
  texts,
} from './reader.ts';

const WHEN = ['on_success', 'on_failure', 'always'] as const;
const EXPOSED_NAME = 100;

const REPORTS = [
  'junit',
  'codequality',
  'sast',
  'secret_detection',
  'dependency_scanning',
  'container_scanning',
  'dast',
  'performance',
  'browser_performance',
  'load_performance',
  'license_management',
  'license_scanning',
  'metrics',
  'lsif',
  'dotenv',
  'cobertura',
  'terraform',
  'accessibility',
  'cluster_applications',
  'coverage_fuzzing',
  'api_fuzzing',
  'cluster_image_scanning',
  'requirements',
] as const;

const coverageReport: Reader<{ format: string; path: string }> = (node, at) => {
  if (node.kind !== 'map') return at.error(node, 'should be a hash');
  const { coverage_format: format, path } = readFields(node, at, {
    coverage_format: attribute(oneOf(['cobertura'])),
    path: attribute(text),
  });
  if (!node.entries.has('path')) return at.error(node, 'is missing required keys: path');
  return format === undefined || path === undefined ? undefined : { format, path };
};

const reports: Reader<Pick<Artifacts, 'reports' | 'coverageFormat'>> = (node, at) => {
  if (node.kind !== 'map') return at.error(node, 'should be a hash');
  const fields = Object.fromEntries(REPORTS.map((type) => [type, attribute(textOrTexts)]));
  const { coverage_report: coverage, ...lists } = readFields(node, at, {
    coverage_report: part(coverageReport),
    ...fields,
  }) as Record<string, string[]> & { coverage_report?: { format: string; path: string } };
  const found = new Map<string, readonly string[]>(Object.entries(lists).filter(([, paths]) => paths));
  if (coverage) found.set('coverage_report', [coverage.path]);
  return { reports: found, coverageFormat: coverage?.format ?? null };
};

const expireIn: Reader<{ seconds: number | 'never'; text: string }> = (node, at) => {
  const written = scalarText(node) ?? '';
  if (written.trim().toLowerCase() === 'never') return { seconds: 'never', text: 'never' };
  const seconds = duration()(node, at);
  return seconds === undefined ? undefined : { seconds, text: written };
};

export const artifacts: Reader<Artifacts> = (node, at) => {
  if (node.kind !== 'map') return at.error(node, 'should be a hash');
  const read = readFields(node, at, {
    name: attribute(text),
    untracked: attribute(boolean),
    paths: attribute(texts),
    exclude: attribute(texts),
    reports: part(reports),
    when: attribute(oneOf(WHEN, 'should be on_success, on_failure or always')),
    expire_in: attribute(expireIn),
    expose_as: attribute(text),
    public: attribute(boolean),
  });
  if (read.expose_as !== undefined) checkExposed(node, at, read.expose_as, read.paths ?? []);
  return {
    name: read.name ?? null,
    untracked: read.untracked ?? false,
    paths: read.paths ?? [],
    exclude: read.exclude ?? [],
    reports: read.reports?.reports ?? new Map(),
    coverageFormat: read.reports?.coverageFormat ?? null,
    when: read.when ?? 'on_success',
    expireIn: read.expire_in?.seconds ?? null,
    expireInText: read.expire_in?.text ?? null,
    exposeAs: read.expose_as ?? null,
    public: read.public ?? true,
  };
};

function checkExposed(node: MapNode, at: Location, name: string, paths: readonly string[]): void {
  const place = node.entries.get('expose_as')?.value ?? scalarNode(null, '', node);
  if (name.length > EXPOSED_NAME)
    at.attribute('expose_as').error(place, `is too long (maximum is ${EXPOSED_NAME} characters)`);
  if (!/^\w[-\w ]*$/.test(name))
    at.attribute('expose_as').error(place, "can contain only letters, digits, '-', '_' and spaces");
  if (paths.length === 0) at.attribute('paths').error(place, "can't be blank");
  if (paths.some((path) => path.includes('*')))
    at.attribute('paths').error(place, "can't contain '*' when used with 'expose_as'");
}
