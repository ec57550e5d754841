import { OauthApplicationDeleted } from '@forgelog/contracts/admin/oauth-applications/oauth-application.events.ts';
import { OauthAuthorizationGranted } from '@forgelog/contracts/admin/oauth-authorizations/oauth-authorization.events.ts';
import {
  UserBanned,
  UserBlocked,
  UserDeactivated,
  UserDeleted,
} from '@forgelog/contracts/admin/users/user.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { oauthApplications } from '../oauth-applications/oauth-applications.projection.ts';
import { endAuthorizations } from './authorization-ends.commands.ts';

export function authorizationPolicies(ports: ServicePorts): Policy[] {
  const { directory, readStore } = ports;
  return [
    definePolicy({
      name: 'end-oauth-authorizations-of-users',
      handles: [UserDeleted, UserBlocked, UserBanned, UserDeactivated],
      actsAs: 'actor',
      react({ type, data: { userId } }, reaction) {
        const reason = type === 'UserDeleted' ? 'deleted' : 'shut_out';
        return endAuthorizations(ports, { where: eq('userId', userId), reason, ...reaction });
      },
    }),
    definePolicy({
      name: 'end-oauth-authorizations-of-applications',
      handles: [OauthApplicationDeleted],
      actsAs: 'actor',
      react({ data: { oauthApplicationId } }, reaction) {
        const where = eq('oauthApplicationId', oauthApplicationId);
        return endAuthorizations(ports, { where, reason: 'deleted', ...reaction });
      },
    }),
    definePolicy({
      /** One that was given while its user or application was being taken away. */
      name: 'end-oauth-authorizations-of-gone',
      handles: [OauthAuthorizationGranted],
      actsAs: 'system',
      async react({ data: { authorizationId, userId, oauthApplicationId } }, reaction) {
        const state = (await directory.user(userId))?.state;
        const isOrphan =
          oauthApplicationId !== null && !(await readStore.get(oauthApplications, oauthApplicationId));
        if (state === 'active' && !isOrphan) return;
        const reason = state !== undefined && state !== 'deleted' && !isOrphan ? 'shut_out' : 'deleted';
        await endAuthorizations(ports, { where: eq('id', authorizationId), reason, ...reaction });
      },
    }),
  ];
}
