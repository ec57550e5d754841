import { GroupDeleted } from '@forgelog/contracts/admin/groups/group.events.ts';
import { ProjectGroupLinkCreated } from '@forgelog/contracts/admin/project-group-links/project-group-link.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { definePolicy, type Reaction } from '@forgelog/eventing/define-policy.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { and, type Condition, eq } from '@forgelog/eventing/query.ts';
import { endProjectShares } from './project-share-ends.commands.ts';

export function projectSharePolicies(ports: ServicePorts): Policy[] {
  const { directory } = ports;
  const end = (where: Condition, reaction: Reaction) =>
    endProjectShares(ports, { where, reason: 'deleted', ...reaction });

  return [
    definePolicy({
      name: 'end-shares-of-deleted',
      handles: [GroupDeleted, ProjectDeleted],
      actsAs: 'actor',
      react: (event, reaction) =>
        end(
          event.type === 'GroupDeleted'
            ? eq('groupId', event.data.groupId)
            : eq('projectId', event.data.projectId),
          reaction,
        ),
    }),
    definePolicy({
      /** A share that began while its project or group was being deleted. */
      name: 'end-shares-in-deleted',
      handles: [ProjectGroupLinkCreated],
      actsAs: 'system',
      async react({ data: { projectId, groupId } }, reaction) {
        if ((await directory.project(projectId)) && (await directory.namespace(groupId))) return;
        await end(and(eq('projectId', projectId), eq('groupId', groupId)), reaction);
      },
    }),
  ];
}
