import type { runnerFilters } from '@forgelog/contracts/ci/runners/runner.params.ts';
import type { Decoded } from '@forgelog/contracts/params.ts';
import { and, type Condition, eq, has, not, oneOf } from '@forgelog/eventing/query.ts';
import type { RunnerContacts } from './runner-contacts.ts';

type Filters = Decoded<typeof runnerFilters>;

export function runnersWhere(
  { type, status, paused, tag_list: tags = [] }: Filters,
  contacts: RunnerContacts,
): Condition {
  return and(
    ...(type === undefined ? [] : [eq('runnerType', type)]),
    ...(paused === undefined ? [] : [eq('active', !paused)]),
    ...tags.map((tag) => has('tags', tag ?? '')),
    ...(status === undefined ? [] : [ofStatus(status, contacts)]),
  );
}

function ofStatus(status: NonNullable<Filters['status']>, contacts: RunnerContacts): Condition {
  const online = () => oneOf('id', contacts.ids('online'));
  const everSeen = () => oneOf('id', contacts.ids('all'));
  switch (status) {
    case 'active':
      return eq('active', true);
    case 'paused':
      return eq('active', false);
    case 'online':
      return online();
    case 'offline':
      return and(everSeen(), not(online()));
    case 'not_connected':
      return not(everSeen());
    default:
      return status satisfies never;
  }
}
