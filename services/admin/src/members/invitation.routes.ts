import {
  inviteToGroup,
  inviteToProject,
  listGroupInvitations,
  listProjectInvitations,
} from '@forgelog/contracts/admin/members/invitation.api.ts';
import { GROUP_LEVELS, PROJECT_LEVELS } from '@forgelog/contracts/admin/members/member.views.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { today } from '@forgelog/directory/calendar.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { type Answer, page, value } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { pageOfArray } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { groupDecider, groupStream } from '../groups/group.decider.ts';
import { checkMembership } from './member.commands.ts';
import { projectMemberDecider, projectMemberStream } from './project-member.decider.ts';

/** Users are members at once, by their addresses. Nobody else can be invited, as nobody can sign up. */
export function invitationRoutes(ports: ServicePorts): Implementation[] {
  const { commands, directory } = ports;
  const none = (wanted: ApiRequest['page']): Answer => {
    const { items, next } = pageOfArray<string>([], wanted, 'waiting', [
      { of: (email) => email, direction: 'asc' },
    ]);
    return page(items, next);
  };

  /** The user whose address it is; undefined for one that nobody has confirmed. */
  async function invited(email: string) {
    const user = await directory.userByEmail(email);
    if (user?.state !== 'active' || user.bot) return undefined;
    const isOfAccount = user.email?.toLowerCase() === email.toLowerCase();
    return isOfAccount && !user.emailConfirmed ? undefined : user;
  }

  /** Each by a command of their own: one that fails keeps no other out. */
  async function invite(
    emails: readonly string[],
    add: (userId: number) => Promise<unknown>,
  ): Promise<Answer> {
    const problems: Record<string, string> = {};
    // An empty parameter is an empty text here.
    const wanted = new Set([...emails].map((text) => text.trim()).filter((text) => text !== ''));
    if (wanted.size === 0) throw new Rejection('invalid_parameters', { problems: ['email is empty'] });
    for (const email of wanted) {
      const user = await invited(email);
      if (!user) {
        problems[email] = 'is not the confirmed address of a user, and nobody else can be invited';
        continue;
      }
      try {
        await add(user.id);
      } catch (error) {
        if (!(error instanceof Rejection) || error.status !== 409) throw error;
        problems[email] = 'User already exists in source';
      }
    }
    const failed = Object.keys(problems).length > 0;
    return value(failed ? { status: 'error', message: problems } : { status: 'success' });
  }

  return [
    implement(listProjectInvitations, async (request) => none(request.page)),
    implement(listGroupInvitations, async (request) => none(request.page)),

    implement(inviteToProject, async ({ params, project, metadata }) => {
      const { id: projectId, ownerId } = project.project;
      const day = today(ports);
      checkMembership(params, PROJECT_LEVELS, day);
      const { access_level: accessLevel, expires_at: expiresAt = null } = params;
      return invite(params.email, (userId) =>
        commands.handle(
          projectMemberDecider,
          projectMemberStream(projectId),
          { type: 'AddProjectMember', projectId, ownerId, userId, accessLevel, expiresAt, today: day },
          metadata,
        ),
      );
    }),

    implement(inviteToGroup, async ({ params, group, metadata }) => {
      const { id: groupId } = group.group;
      const day = today(ports);
      checkMembership(params, GROUP_LEVELS, day);
      const { access_level: accessLevel, expires_at: expiresAt = null } = params;
      return invite(params.email ?? [], (userId) =>
        commands.handle(
          groupDecider,
          groupStream(groupId),
          { type: 'AddGroupMember', groupId, userId, accessLevel, expiresAt, today: day },
          metadata,
        ),
      );
    }),
  ];
}
