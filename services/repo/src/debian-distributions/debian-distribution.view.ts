import { debianDistributionView } from '@forgelog/contracts/repo/debian-distributions/debian-distribution.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import type { DebianDistributionRow } from './debian-distributions.projection.ts';

export const debianDistributionJson = implementView(debianDistributionView).from<DebianDistributionRow>({
  id: 'id',
  codename: 'codename',
  suite: 'suite',
  origin: 'origin',
  label: 'label',
  version: 'version',
  description: 'description',
  valid_time_duration_seconds: 'validTimeDurationSeconds',
  components: 'components',
  architectures: 'architectures',
});
