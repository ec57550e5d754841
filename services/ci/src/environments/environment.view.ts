import {
  scheduledDeletionsView,
  scheduledEntryView,
} from '@forgelog/contracts/ci/environments/environment.api.ts';
import { environmentView } from '@forgelog/contracts/ci/environments/environment.views.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { constant, nestedList } from '@forgelog/service-kit/view-parts.ts';
import type { EnvironmentRow } from './environments.projection.ts';

export const environmentJson = implementView(environmentView).from<EnvironmentRow>({
  id: 'id',
  name: 'name',
  slug: 'slug',
  external_url: 'externalUrl',
  state: 'state',
});

export type ScheduledEnvironment = Pick<EnvironmentRow, 'id' | 'name' | 'slug' | 'externalUrl'>;

const scheduledEntryJson = implementView(scheduledEntryView).from<ScheduledEnvironment>({
  id: 'id',
  name: 'name',
  slug: 'slug',
  external_url: 'externalUrl',
});

/** The caller may delete all of them, so none is unprocessable. */
export const scheduledDeletionsJson = implementView(scheduledDeletionsView).from<{
  scheduled: readonly ScheduledEnvironment[];
}>({
  scheduled_entries: nestedList(
    scheduledEntryJson,
    ({ scheduled }: { scheduled: readonly ScheduledEnvironment[] }) => scheduled,
  ),
  unprocessable_entries: constant([]),
});
