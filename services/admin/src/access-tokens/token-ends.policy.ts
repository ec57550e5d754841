import { PersonalAccessTokenCreated } from '@forgelog/contracts/admin/access-tokens/access-token.events.ts';
import { UserDeleted } from '@forgelog/contracts/admin/users/user.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { endTokens } from './token-ends.commands.ts';

export function tokenPolicies(ports: ServicePorts): Policy[] {
  return [
    definePolicy({
      /** Also a token that was made while its user was being deleted. */
      name: 'end-tokens-of-deleted-users',
      handles: [UserDeleted, PersonalAccessTokenCreated],
      actsAs: { UserDeleted: 'actor', PersonalAccessTokenCreated: 'system' },
      async react(event, reaction) {
        const { userId } = event.data;
        if ((await ports.directory.user(userId))?.state !== 'deleted') return;
        const where = eq('userId', userId);
        await endTokens(ports, { where, reason: 'deleted', ...reaction });
      },
    }),
  ];
}
