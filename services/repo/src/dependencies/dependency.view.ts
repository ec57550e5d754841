import { dependencyView } from '@forgelog/contracts/repo/dependencies/dependency.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { when } from '@forgelog/service-kit/view-optional.ts';
import { constant, given } from '@forgelog/service-kit/view-parts.ts';
import type { Dependency } from './dependency-lists.ts';

interface DependencyRequest {
  seesVulnerabilities: boolean;
}

/** Dependency [L371]. */
export const dependencyJson = implementView(dependencyView).from<Dependency, DependencyRequest>({
  name: 'name',
  version: 'version',
  package_manager: given(({ manager }: Dependency) => manager),
  dependency_file_path: 'path',
  vulnerabilities: when(({ seesVulnerabilities }: DependencyRequest) => seesVulnerabilities, constant([])),
  licenses: given(({ licenses }: Dependency) => (licenses ?? []).map((name) => ({ name, url: null }))),
});
