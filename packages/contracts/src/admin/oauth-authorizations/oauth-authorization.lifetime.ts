import { begins, defineLifetime, endsWith } from '../../lifetime.ts';
import { OauthApplicationDeleted } from '../oauth-applications/oauth-application.events.ts';
import { UserDeleted } from '../users/user.events.ts';
import {
  OauthAuthorizationEnded,
  OauthAuthorizationGranted,
  OauthAuthorizationRevoked,
} from './oauth-authorization.events.ts';

export const oauthAuthorizationLifetime = defineLifetime({
  kind: 'OauthAuthorization',
  id: ['authorizationId'],
  begins: [begins(OauthAuthorizationGranted)],
  ends: [
    endsWith(OauthAuthorizationRevoked, ['authorizationId']),
    endsWith(OauthAuthorizationEnded, ['authorizationId']),
    endsWith(UserDeleted, ['userId'], { announcedBy: OauthAuthorizationEnded }),
    endsWith(OauthApplicationDeleted, ['oauthApplicationId'], { announcedBy: OauthAuthorizationEnded }),
  ],
});
