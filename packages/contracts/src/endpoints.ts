import { freezePeriodEndpoints } from './ci/freeze-period.api.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { instanceEndpoints } from './gateway/instance.api.ts';
import { projectEndpoints } from './repo/project.api.ts';

/** Every endpoint there is: a line a slice. */
export const endpoints: readonly AnyEndpoint[] = [
  // gateway
  ...instanceEndpoints,
  // repo
  ...projectEndpoints,
  // ci
  ...freezePeriodEndpoints,
];
