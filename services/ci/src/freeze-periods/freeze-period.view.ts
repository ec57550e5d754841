import { freezePeriodView } from '@forgelog/contracts/ci/freeze-periods/freeze-period.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import type { FreezePeriodRow } from './freeze-periods.projection.ts';

export const freezePeriodJson = implementView(freezePeriodView).from<FreezePeriodRow>({
  id: 'id',
  freeze_start: 'freezeStart',
  freeze_end: 'freezeEnd',
  cron_timezone: 'cronTimezone',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
});
