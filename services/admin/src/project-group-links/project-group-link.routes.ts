import {
  shareProject,
  unshareProject,
} from '@forgelog/contracts/admin/project-group-links/project-group-link.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { createAuthorizer } from '@forgelog/directory/authorizer.ts';
import { today } from '@forgelog/directory/calendar.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { oneOf } from '@forgelog/eventing/query.ts';
import type { ProjectSummary } from '@forgelog/service-kit/access.ts';
import { noContent, value } from '@forgelog/service-kit/answer.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { groups } from '../groups/groups.projection.ts';
import { projectGroupLinkDecider, projectGroupLinkStream } from './project-group-link.decider.ts';

export function projectGroupLinkRoutes(ports: ServicePorts): Implementation[] {
  const { commands, directory, ids, readStore } = ports;
  const authorizer = createAuthorizer(directory);

  async function requireShareable({ id }: ProjectSummary, groupId: number, caller: Principal) {
    const above = (await directory.project(id))?.ancestors ?? [];
    const places = await readStore.find(groups, { where: oneOf('id', above), limit: above.length });
    if (places.some(({ sharingLocked }) => sharingLocked))
      throw new Rejection('refused', { message: 'The project sharing with group is disabled' });
    const group = await authorizer.group(String(groupId), caller);
    if (!group) throw new Rejection('not_found', { what: 'Group' });
    if (group.group.isMarked) throw new Rejection('refused', { message: 'The group is marked for deletion' });
    if (above.includes(groupId))
      throw new Rejection('conflict', {
        message: 'Project cannot be shared with the group it is in or one of its ancestors.',
      });
  }

  return [
    implement(shareProject, async ({ params, project, caller, metadata }) => {
      const { group_id: groupId, group_access: accessLevel, expires_at: expiresAt = null } = params;
      const projectId = project.project.id;
      const day = today(ports);
      await requireShareable(project.project, groupId, caller);
      if (expiresAt !== null && expiresAt < day)
        throw new Rejection('validation_failed', {
          fields: { expires_at: ['cannot be a date in the past'] },
        });
      const stream = projectGroupLinkStream(projectId, groupId);
      const commandFor = (projectGroupLinkId: number) => ({
        type: 'ShareProject' as const,
        ...{ projectGroupLinkId, projectId, groupId, accessLevel, expiresAt, today: day },
      });
      // Refuse before reserving an id.
      projectGroupLinkDecider.decide(
        commandFor(0),
        (await commands.load(projectGroupLinkDecider, stream)).state,
      );
      const id = await ids.next('projectGroupLink');
      await commands.handle(projectGroupLinkDecider, stream, commandFor(id), metadata);
      const link = { id, project_id: projectId, group_id: groupId, group_access: accessLevel };
      return value({ ...link, expires_at: expiresAt }, { status: 201 });
    }),

    implement(unshareProject, async ({ params, project, metadata }) => {
      const { group_id: groupId } = params;
      const projectId = project.project.id;
      await commands.handle(
        projectGroupLinkDecider,
        projectGroupLinkStream(projectId, groupId),
        { type: 'UnshareProject', projectId, groupId, today: today(ports) },
        metadata,
      );
      return noContent();
    }),
  ];
}
