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

const vulnerabilityView = defineView('DependencyVulnerability', {
  /** Its id, and what it is. */
  name: z.string(),
  severity: z.enum(['unknown', 'info', 'low', 'medium', 'high', 'critical']),
});
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
    /** By the operator's database; empty without one, and where the version is unknown. For Developers and above. */
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

/** The specification has no address of it, and the one of later versions of this API family goes by pipelines. */
export const exportDependencies = defineEndpoint({
  ...readsRepository,
  id: 'dependency-export',
  method: 'GET',
  path: '/projects/:id/dependencies/sbom',
  summary: 'Packages that the lockfiles of the default branch name, as CycloneDX 1.5 in JSON',
  spec: 'api-v4 L371',
  tier: 'ultimate',
  params: { id: projectId },
  mediaTypes: ['application/vnd.cyclonedx+json'],
});

export const dependencyEndpoints = [listDependencies, exportDependencies];
