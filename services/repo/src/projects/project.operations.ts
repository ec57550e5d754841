import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  listProjectsOfGroup,
  moveProjectToGroup,
} from '@forgelog/contracts/repo/projects/project.operations.ts';
import { createAuthorizer } from '@forgelog/directory/authorizer.ts';
import { eq, has, oneOf, or } from '@forgelog/eventing/query.ts';
import { implementOperation, type OperationImplementation } from '@forgelog/service-kit/operations.ts';
import type { RepoPorts } from '../ports.ts';
import { projectDecider, projectStream } from './project.decider.ts';
import { projectTransfer } from './project-transfer.commands.ts';

export function projectOperations(ports: RepoPorts): OperationImplementation[] {
  const { commands, directory, listing } = ports;
  const authorizer = createAuthorizer(directory);
  const transfer = projectTransfer(ports);
  return [
    implementOperation(moveProjectToGroup, async ({ request, principal, operationId, metadata }) => {
      const { projectId, groupId } = request;
      const grant = await authorizer.project(String(projectId), principal);
      if (!grant || !principal) throw new Rejection('not_found', { what: 'Project' });
      if (grant.level < AccessLevel.owner) throw new Rejection('forbidden', {});
      const stream = projectStream(projectId);
      if (!(await commands.eventsOf(projectDecider, stream, operationId)))
        await transfer(grant.project, String(groupId), principal, metadata, operationId);
      return { moved: true as const };
    }),

    implementOperation(listProjectsOfGroup, async ({ request, principal }) => {
      const { groupId, shared, filters, page } = request;
      const own = filters.include_subgroups ? has('ancestors', groupId) : eq('namespaceId', groupId);
      const linked = oneOf('id', await directory.projectsSharedWith(groupId));
      const scope = shared ? linked : filters.with_shared ? or(own, linked) : own;
      return listing({ scope, filters, page, principal, withoutSearch: 'name' });
    }),
  ];
}
