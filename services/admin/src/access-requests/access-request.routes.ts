import {
  groupAccessRequests as groupEndpoints,
  projectAccessRequests as projectEndpoints,
} from '@forgelog/contracts/admin/access-requests/access-request.api.ts';
import { GROUP_LEVELS, PROJECT_LEVELS } from '@forgelog/contracts/admin/members/member.views.ts';
import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { today } from '@forgelog/directory/calendar.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { asc, eq } from '@forgelog/eventing/query.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { groupDecider, groupStream } from '../groups/group.decider.ts';
import { answerWritten, checkMembership } from '../members/member.commands.ts';
import { projectMemberDecider, projectMemberStream } from '../members/project-member.decider.ts';
import { accessRequestJson } from './access-request.view.ts';
import {
  type AccessRequestRow,
  accessRequestKey,
  groupAccessRequests,
  projectAccessRequests,
} from './access-requests.projection.ts';

/** The last day of a membership that is approved: it has none. */
const NO_END = { expires_at: null };

export function accessRequestRoutes(ports: ServicePorts): Implementation[] {
  const { commands, directory, readStore } = ports;
  const view = accessRequestJson.renderer(ports);

  async function shown(rows: readonly AccessRequestRow[]) {
    const all = await Promise.all(
      rows.map(async ({ userId, requestedAt }) => {
        const user = await directory.user(userId);
        return user && { ...user, requestedAt };
      }),
    );
    return all.filter((one) => one !== undefined);
  }

  async function answerOf(row: AccessRequestRow | undefined) {
    const [one] = row ? await shown([row]) : [];
    if (!one) throw new Rejection('record_not_found');
    return json(view.one(one));
  }

  return [
    implement(projectEndpoints.list, async ({ project, page }) => {
      const { documents, next } = await pageOf(readStore, projectAccessRequests, {
        where: eq('projectId', project.project.id),
        sort: [asc('requestedAt')],
        page,
      });
      return { kind: 'list', items: view.list(await shown(documents)), next };
    }),

    implement(projectEndpoints.create, async ({ project, caller, metadata }) => {
      const { id: projectId, ownerId } = project.project;
      const { userId } = caller;
      const place = await directory.project(projectId);
      const isMember = !place || (await directory.projectLevel(userId, place)) > 0;
      if (isMember || !place.requestAccessEnabled) throw new Rejection('forbidden', {});
      await commands.handle(
        projectMemberDecider,
        projectMemberStream(projectId),
        { type: 'RequestProjectAccess', projectId, ownerId, userId, today: today(ports) },
        metadata,
      );
      return answerOf(await readStore.get(projectAccessRequests, accessRequestKey(projectId, userId)));
    }),

    implement(projectEndpoints.approve, async ({ project, params, metadata }) => {
      const { id: projectId, ownerId } = project.project;
      const { user_id: userId, access_level: accessLevel } = params;
      const day = today(ports);
      checkMembership({ access_level: accessLevel, ...NO_END }, PROJECT_LEVELS, day);
      await commands.handle(
        projectMemberDecider,
        projectMemberStream(projectId),
        { type: 'ApproveProjectAccess', projectId, ownerId, userId, accessLevel, today: day },
        metadata,
      );
      return answerWritten(ports, 'project', projectId, userId);
    }),

    implement(projectEndpoints.deny, async ({ project, params, caller, metadata }) => {
      const { id: projectId, ownerId } = project.project;
      const { user_id: userId } = params;
      const reason = userId === caller.userId ? 'withdrawn' : 'denied';
      if (reason === 'denied' && project.level < AccessLevel.maintainer) throw new Rejection('forbidden', {});
      await commands.handle(
        projectMemberDecider,
        projectMemberStream(projectId),
        { type: 'DeleteProjectAccessRequest', projectId, ownerId, userId, reason, today: today(ports) },
        metadata,
      );
      return noContent();
    }),

    implement(groupEndpoints.list, async ({ group, page }) => {
      const { documents, next } = await pageOf(readStore, groupAccessRequests, {
        where: eq('groupId', group.group.id),
        sort: [asc('requestedAt')],
        page,
      });
      return { kind: 'list', items: view.list(await shown(documents)), next };
    }),

    implement(groupEndpoints.create, async ({ group, caller, metadata }) => {
      const { id: groupId } = group.group;
      const { userId } = caller;
      if ((await directory.groupLevel(userId, groupId)) > 0) throw new Rejection('forbidden', {});
      await commands.handle(
        groupDecider,
        groupStream(groupId),
        { type: 'RequestGroupAccess', groupId, userId, today: today(ports) },
        metadata,
      );
      return answerOf(await readStore.get(groupAccessRequests, accessRequestKey(groupId, userId)));
    }),

    implement(groupEndpoints.approve, async ({ group, params, metadata }) => {
      const { id: groupId } = group.group;
      const { user_id: userId, access_level: accessLevel } = params;
      const day = today(ports);
      checkMembership({ access_level: accessLevel, ...NO_END }, GROUP_LEVELS, day);
      await commands.handle(
        groupDecider,
        groupStream(groupId),
        { type: 'ApproveGroupAccess', groupId, userId, accessLevel, today: day },
        metadata,
      );
      return answerWritten(ports, 'group', groupId, userId);
    }),

    implement(groupEndpoints.deny, async ({ group, params, caller, metadata }) => {
      const { id: groupId } = group.group;
      const { user_id: userId } = params;
      const reason = userId === caller.userId ? 'withdrawn' : 'denied';
      if (reason === 'denied' && group.level < AccessLevel.owner) throw new Rejection('forbidden', {});
      await commands.handle(
        groupDecider,
        groupStream(groupId),
        { type: 'DeleteGroupAccessRequest', groupId, userId, reason, today: today(ports) },
        metadata,
      );
      return noContent();
    }),
  ];
}
