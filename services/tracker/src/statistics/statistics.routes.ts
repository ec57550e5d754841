import { countUserKeys } from '@forgelog/contracts/admin/user-keys/user-key.operations.ts';
import { countSnippets } from '@forgelog/contracts/repo/snippets/snippet.operations.ts';
import { getStatistics } from '@forgelog/contracts/tracker/statistics/statistics.api.ts';
import { directoryNamespaces, directoryProjects, directoryUsers } from '@forgelog/directory/collections.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { type Condition, eq, not } from '@forgelog/eventing/query.ts';
import type { AnyCollection } from '@forgelog/eventing/read-store.ts';
import { value } from '@forgelog/service-kit/answer.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { notes } from '../discussions/discussions.collection.ts';
import { issues } from '../issues/issues.collection.ts';
import { mergeRequests } from '../merge-requests/merge-requests.collection.ts';
import { milestones } from '../milestones/milestones.projection.ts';

/** Beyond any instance. */
const MOST = 1_000_000_000;
/** A deleted issue or merge request leaves its key behind. */
const PRESENT = not(eq('id', null));

export function statisticsRoutes({ readStore, operations }: ServicePorts): Implementation[] {
  const count = (collection: AnyCollection, where?: Condition) =>
    readStore.count(collection, { ...(where && { where }), atMost: MOST });

  return [
    implement(getStatistics, async ({ principal }) => {
      const counts = {
        forks: count(directoryProjects, not(eq('forkedFromId', null))),
        issues: count(issues, PRESENT),
        merge_requests: count(mergeRequests, PRESENT),
        notes: count(notes, eq('system', false)),
        snippets: operations.call(countSnippets, {}, { principal }).then(({ snippets }) => snippets),
        ssh_keys: operations.call(countUserKeys, { kind: 'ssh' }, { principal }).then(({ keys }) => keys),
        milestones: count(milestones),
        users: count(directoryUsers, not(eq('usernameLower', null))),
        groups: count(directoryNamespaces, eq('kind', 'group')),
        projects: count(directoryProjects),
        active_users: count(directoryUsers, eq('state', 'active')),
      };
      const texts = Object.entries(counts).map(async ([name, counted]) => [name, String(await counted)]);
      return value(Object.fromEntries(await Promise.all(texts)));
    }),
  ];
}
