import { AdminRecordsEnded } from '@forgelog/contracts/shared/records-ended.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { tellingEndedRecords } from '@forgelog/service-kit/ended-records.ts';
import type { Service } from '@forgelog/service-kit/service.ts';
import { composeService } from '@forgelog/service-kit/slice.ts';
import { accessRequestSlice } from './access-requests/access-request.slice.ts';
import { accessTokenSlice } from './access-tokens/access-token.slice.ts';
import { appearanceSlice } from './appearance/appearance.slice.ts';
import { auditEventSlice } from './audit-events/audit-event.slice.ts';
import { avatarSlice } from './avatars/avatar.slice.ts';
import { broadcastMessageSlice } from './broadcast-messages/broadcast-message.slice.ts';
import { customAttributeSlice } from './custom-attributes/custom-attribute.slice.ts';
import { deployKeySlice } from './deploy-keys/deploy-key.slice.ts';
import { deployTokenSlice } from './deploy-tokens/deploy-token.slice.ts';
import { featureSlice } from './features/feature.slice.ts';
import { followSlice } from './follows/follow.slice.ts';
import { groupGroupLinkSlice } from './group-group-links/group-group-link.slice.ts';
import { groupSlice } from './groups/group.slice.ts';
import { memberSlice } from './members/member.slice.ts';
import { namespaceSlice } from './namespaces/namespace.slice.ts';
import { oauthApplicationSlice } from './oauth-applications/oauth-application.slice.ts';
import { oauthAuthorizationSlice } from './oauth-authorizations/oauth-authorization.slice.ts';
import { planLimitsSlice } from './plan-limits/plan-limits.slice.ts';
import { projectGroupLinkSlice } from './project-group-links/project-group-link.slice.ts';
import { resourceAccessTokenSlice } from './resource-access-tokens/resource-access-token.slice.ts';
import { userSearchSlice } from './search/user-search.slice.ts';
import { settingsSlice } from './settings/settings.slice.ts';
import { userEmailSlice } from './user-emails/user-email.slice.ts';
import { userKeySlice } from './user-keys/user-key.slice.ts';
import { userStatusSlice } from './user-statuses/user-status.slice.ts';
import { userSlice } from './users/user.slice.ts';

const slices = [
  userSlice,
  userStatusSlice,
  followSlice,
  userSearchSlice,
  accessTokenSlice,
  resourceAccessTokenSlice,
  deployTokenSlice,
  oauthApplicationSlice,
  oauthAuthorizationSlice,
  deployKeySlice,
  userEmailSlice,
  userKeySlice,
  avatarSlice,
  groupSlice,
  namespaceSlice,
  memberSlice,
  accessRequestSlice,
  groupGroupLinkSlice,
  projectGroupLinkSlice,
  customAttributeSlice,
  broadcastMessageSlice,
  featureSlice,
  planLimitsSlice,
  settingsSlice,
  appearanceSlice,
  auditEventSlice,
];

export const createAdmin = (ports: ServicePorts): Service =>
  tellingEndedRecords(composeService('admin', ports, slices), AdminRecordsEnded, ports);
