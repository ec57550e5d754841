import {
  environmentDetailView,
  environmentView,
} from '@forgelog/contracts/ci/environments/environment.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import type { EnvironmentRow } from './environments.projection.ts';

export const environmentJson = implementView(environmentView).from<EnvironmentRow>({
  id: 'id',
  name: 'name',
  slug: 'slug',
  external_url: 'externalUrl',
  state: 'state',
});

export const environmentDetailJson = implementView(environmentDetailView).from<EnvironmentRow>({
  ...environmentJson.members,
  last_deployment: null,
});
