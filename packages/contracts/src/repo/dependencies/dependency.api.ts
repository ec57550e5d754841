import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { described, list, oneOf } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { defineView } from '../../views.ts';
import { readsRepository } from '../commits/commit.api.ts';
import examples from './dependency.examples.json' with { type: 'json' };

/** Those of the specification, then those that newer lockfiles are of [L371]. */
export const PACKAGE_MANAGERS = [
  'bundler',
  'composer',
  'conan',
  'maven',
  'npm',
  'pip',
  'yarn',
  'cargo',
  'go',
  'nuget',
  'pipenv',
  'pnpm',
  'poetry',
  'uv',
] as const;

const vulnerabilityView = defineView('DependencyVulnerability', { name: z.string(), severity: z.string() });
const licenseView = defineView('DependencyLicense', { name: z.string(), url: z.string().nullable() });

/** Dependency [L371]. */
export const dependencyView = defineView(
  'Dependency',
  {
    name: z.string(),
    /** Null where a `pom.xml` leaves it to another file. */
    version: z.string().nullable(),
    package_manager: z.enum(PACKAGE_MANAGERS),
    dependency_file_path: z.string(),
    /** Empty: no database of vulnerabilities is held here. Only for Developers and above. */
    vulnerabilities: z.array(vulnerabilityView).optional(),
    /** As the lockfile names them. */
    licenses: z.array(licenseView),
  },
  examples.Dependency,
);

export const listDependencies = defineEndpoint({
  ...readsRepository,
  id: 'dependency-list',
  method: 'GET',
  path: '/projects/:id/dependencies',
  summary: 'Packages that the lockfiles of the default branch name',
  spec: 'api-v4 L371',
  tier: 'ultimate',
  pagination: 'offset',
  params: {
    id: projectId,
    package_manager: described(list(oneOf(...PACKAGE_MANAGERS)), 'Only packages of these package managers'),
  },
  response: z.array(dependencyView),
});

export const dependencyEndpoints = [listDependencies];
