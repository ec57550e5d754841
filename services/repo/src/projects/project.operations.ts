import { listProjectsOfGroup } from '@forgelog/contracts/repo/projects/project.operations.ts';
import { eq, has, oneOf, or } from '@forgelog/eventing/query.ts';
import { implementOperation, type OperationImplementation } from '@forgelog/service-kit/operations.ts';
import type { RepoPorts } from '../ports.ts';

export function projectOperations({
  directory,
  listing,
}: Pick<RepoPorts, 'directory' | 'listing'>): OperationImplementation[] {
  return [
    implementOperation(listProjectsOfGroup, async ({ request, principal }) => {
      const { groupId, shared, filters, page } = request;
      const own = filters.include_subgroups ? has('ancestors', groupId) : eq('namespaceId', groupId);
      const linked = oneOf('id', await directory.projectsSharedWith(groupId));
      const scope = shared ? linked : filters.with_shared ? or(own, linked) : own;
      return listing({ scope, filters, page, principal, withoutSearch: 'name' });
    }),
  ];
}
