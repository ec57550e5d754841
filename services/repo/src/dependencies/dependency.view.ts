import { dependencyView } from '@forgelog/contracts/repo/dependencies/dependency.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { ifGiven } from '@forgelog/service-kit/view-optional.ts';
import { given } from '@forgelog/service-kit/view-parts.ts';
import type { Vulnerability } from './advisory-database.ts';
import type { Dependency } from './dependency-lists.ts';

interface ShownDependency extends Dependency {
  /** Undefined where the caller may not see them. */
  vulnerabilities: readonly Vulnerability[] | undefined;
}

/** Dependency [L371]. */
export const dependencyJson = implementView(dependencyView).from<ShownDependency>({
  name: 'name',
  version: 'version',
  package_manager: given(({ manager }: ShownDependency) => manager),
  dependency_file_path: 'path',
  vulnerabilities: ifGiven(({ vulnerabilities }: ShownDependency) => vulnerabilities),
  licenses: given(({ licenses }: ShownDependency) => (licenses ?? []).map((name) => ({ name, url: null }))),
});
