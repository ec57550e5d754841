import type { ProjectFeature } from '@forgelog/contracts/endpoint.ts';
import type { FeatureLevel } from '@forgelog/service-kit/access.ts';

const SETTING: Readonly<Record<ProjectFeature, string>> = {
  issues: 'issues_access_level',
  repository: 'repository_access_level',
  merge_requests: 'merge_requests_access_level',
  builds: 'builds_access_level',
  wiki: 'wiki_access_level',
  snippets: 'snippets_access_level',
  operations: 'operations_access_level',
  packages: 'packages_enabled',
};

/** By default a feature is open to all who see the project. */
const OPEN = Object.fromEntries(Object.keys(SETTING).map((feature) => [feature, 'enabled'])) as Record<
  ProjectFeature,
  FeatureLevel
>;

/** Applies the settings on top of `base`. */
export function featureLevels(
  settings: Readonly<Record<string, unknown>>,
  base: Partial<Record<ProjectFeature, FeatureLevel>> = OPEN,
): Partial<Record<ProjectFeature, FeatureLevel>> {
  const levels = { ...base };
  for (const feature of Object.keys(SETTING) as ProjectFeature[]) {
    const level = settings[SETTING[feature]];
    if (typeof level === 'string') levels[feature] = level as FeatureLevel;
    if (typeof level === 'boolean') levels[feature] = level ? 'enabled' : 'disabled';
  }
  return levels;
}

/** Features that are closed to some who see the project, for queries: `issues:private`. */
export function restrictions(levels: Partial<Record<ProjectFeature, FeatureLevel>>): string[] {
  return Object.entries(levels)
    .filter(([, level]) => level === 'private' || level === 'disabled')
    .map(([feature, level]) => `${feature}:${level}`);
}
