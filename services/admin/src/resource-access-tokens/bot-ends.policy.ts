import {
  PersonalAccessTokenCreated,
  PersonalAccessTokenEnded,
  PersonalAccessTokenRevoked,
} from '@forgelog/contracts/admin/access-tokens/access-token.events.ts';
import { GroupDeleted } from '@forgelog/contracts/admin/groups/group.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { definePolicy, type Reaction } from '@forgelog/eventing/define-policy.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { type Condition, eq } from '@forgelog/eventing/query.ts';
import { endTokens } from '../access-tokens/token-ends.commands.ts';
import { deleteBot } from './bot.commands.ts';

export function botPolicies(ports: ServicePorts): Policy[] {
  const { directory } = ports;
  const endAll = (where: Condition, reaction: Reaction) =>
    endTokens(ports, { where, reason: 'deleted', ...reaction });

  return [
    definePolicy({
      name: 'delete-bots-without-token',
      handles: [PersonalAccessTokenRevoked, PersonalAccessTokenEnded],
      actsAs: 'actor',
      react: ({ data }, { metadata }) => deleteBot(ports, data.userId, metadata),
    }),
    definePolicy({
      name: 'end-tokens-of-deleted-places',
      handles: [ProjectDeleted, GroupDeleted],
      actsAs: 'actor',
      react: ({ type, data }, reaction) =>
        endAll(
          type === 'ProjectDeleted' ? eq('projectId', data.projectId) : eq('groupId', data.groupId),
          reaction,
        ),
    }),
    definePolicy({
      name: 'end-tokens-in-deleted-places',
      handles: [PersonalAccessTokenCreated],
      actsAs: 'system',
      async react({ data: { tokenId, projectId, groupId } }, reaction) {
        const isGone =
          (projectId !== null && !(await directory.project(projectId))) ||
          (groupId !== null && !(await directory.namespace(groupId)));
        if (isGone) await endAll(eq('id', tokenId), reaction);
      },
    }),
  ];
}
