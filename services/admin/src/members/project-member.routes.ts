import { PROJECT_LEVELS } from '@forgelog/contracts/admin/members/member.views.ts';
import {
  addProjectMember,
  changeProjectMember,
  removeProjectMember,
} from '@forgelog/contracts/admin/members/project-member.api.ts';
import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { today } from '@forgelog/directory/calendar.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { noContent } from '@forgelog/service-kit/answer.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { addMembers, answerWritten, checkMembership } from './member.commands.ts';
import { projectMemberDecider, projectMemberStream } from './project-member.decider.ts';

export function projectMemberRoutes(ports: ServicePorts): Implementation[] {
  const { commands } = ports;

  return [
    implement(addProjectMember, async ({ params, project, metadata }) => {
      const { id: projectId, ownerId } = project.project;
      const day = today(ports);
      checkMembership(params, PROJECT_LEVELS, day);
      const { access_level: accessLevel, expires_at: expiresAt = null } = params;
      return addMembers(
        ports,
        params.user_id,
        (userId) =>
          commands.handle(
            projectMemberDecider,
            projectMemberStream(projectId),
            { type: 'AddProjectMember', projectId, ownerId, userId, accessLevel, expiresAt, today: day },
            metadata,
          ),
        (userId) => answerWritten(ports, 'project', projectId, userId),
      );
    }),

    implement(changeProjectMember, async ({ params, project, metadata }) => {
      const { id: projectId, ownerId } = project.project;
      const day = today(ports);
      checkMembership(params, PROJECT_LEVELS, day);
      const { user_id: userId, access_level: accessLevel, expires_at: expiresAt } = params;
      await commands.handle(
        projectMemberDecider,
        projectMemberStream(projectId),
        { type: 'ChangeProjectMember', projectId, ownerId, userId, accessLevel, expiresAt, today: day },
        metadata,
      );
      return answerWritten(ports, 'project', projectId, userId);
    }),

    implement(removeProjectMember, async ({ params, project, caller, metadata }) => {
      const { id: projectId, ownerId } = project.project;
      const { user_id: userId } = params;
      const leaves = userId === caller.userId;
      if (!leaves && project.level < AccessLevel.maintainer) throw new Rejection('forbidden', {});
      const reason = leaves ? 'left' : 'removed';
      await commands.handle(
        projectMemberDecider,
        projectMemberStream(projectId),
        { type: 'RemoveProjectMember', projectId, ownerId, userId, reason, today: today(ports) },
        metadata,
      );
      return noContent();
    }),
  ];
}
