import { randomUUID } from 'node:crypto';
import { transferGroup, transferProjectToGroup } from '@forgelog/contracts/admin/groups/group.api.ts';
import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { moveProjectToGroup } from '@forgelog/contracts/repo/projects/project.operations.ts';
import { createAuthorizer } from '@forgelog/directory/authorizer.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { createGroupDetail } from './group-caller.view.ts';
import { groupTransfer } from './group-transfer.commands.ts';
import { groups } from './groups.projection.ts';

export function groupTransferRoutes(ports: ServicePorts): Implementation[] {
  const { directory, operations, readStore } = ports;
  const authorizer = createAuthorizer(directory);
  const detail = createGroupDetail(ports);
  const transfer = groupTransfer(ports);

  /** The answer has the group even where the caller loses sight of it. */
  async function detailOf(id: number, principal: Principal) {
    const row = await readStore.get(groups, id);
    const grant = await authorizer.group(String(id), principal);
    if (!row) throw new Rejection('not_found', { what: 'Group' });
    return detail({ row, principal, level: grant?.level ?? 0, wishes: {} });
  }

  return [
    implement(transferGroup, async ({ params, group, caller, metadata }) => {
      await transfer(group.group, params.group_id ?? null, caller, metadata);
      return detailOf(group.group.id, caller);
    }),

    implement(transferProjectToGroup, async ({ params, group, caller, metadata }) => {
      const grant = await authorizer.project(params.project_id, caller);
      if (!grant) throw new Rejection('not_found', { what: 'Project' });
      if (grant.level < AccessLevel.owner) throw new Rejection('forbidden', {});
      const asked = { projectId: grant.project.id, groupId: group.group.id };
      await operations.call(moveProjectToGroup, asked, {
        ...{ principal: caller, operationId: randomUUID(), metadata },
      });
      return detailOf(group.group.id, caller);
    }),
  ];
}
