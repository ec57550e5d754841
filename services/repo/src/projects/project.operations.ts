import { listProjectsOfGroup } from '@forgelog/contracts/repo/projects/project.operations.ts';
import { eq, has, or } from '@forgelog/eventing/query.ts';
import { implementOperation, type OperationImplementation } from '@forgelog/service-kit/operations.ts';
import type { RepoPorts } from '../ports.ts';

export function projectOperations({ listing }: Pick<RepoPorts, 'listing'>): OperationImplementation[] {
  return [
    implementOperation(listProjectsOfGroup, async ({ request, principal }) => {
      const { groupId, shared, filters, page } = request;
      const own = filters.include_subgroups ? has('ancestors', groupId) : eq('namespaceId', groupId);
      // Sharing with groups is not implemented yet.
      const scope = shared ? or() : own;
      return listing({ scope, filters, page, principal, withoutSearch: 'name' });
    }),
  ];
}
