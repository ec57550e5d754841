import {
  OauthApplicationCreated,
  OauthApplicationDeleted,
} from '@forgelog/contracts/admin/oauth-applications/oauth-application.events.ts';
import {
  OauthAuthorizationGranted,
  OauthAuthorizationRevoked,
} from '@forgelog/contracts/admin/oauth-authorizations/oauth-authorization.events.ts';
import { initiatorOf, type RecordedEvent } from '@forgelog/eventing/event.ts';
import { type AuditEntry, type AuditRule, audited, type KnownNames } from './audit-rule.ts';

type Application = { oauthApplicationId: number; name: string };

/** Applications are of the whole instance, so they are among what their author did. */
function ofAuthor(
  { metadata }: Pick<RecordedEvent, 'metadata'>,
  { oauthApplicationId: id, name }: Application,
): Pick<AuditEntry, 'entity' | 'target'> {
  return {
    entity: { type: 'User', id: initiatorOf(metadata).actorId! },
    target: { type: 'OauthApplication', id, details: name },
  };
}

/** An authorization has no number; its user is whom it opens. */
async function ofUser(id: number, known: KnownNames): Promise<Pick<AuditEntry, 'entity' | 'target'>> {
  const { name } = await known.user(id);
  return { entity: { type: 'User', id }, target: { type: 'User', id, details: name } };
}

const program = (id: number | null) => (id === null ? 'by password' : `of application ${id}`);

export const oauthAuditRules: readonly AuditRule[] = [
  audited(OauthApplicationCreated, async (event) => ({
    ...ofAuthor(event, event.data),
    message: `Created application ${event.data.name}`,
    add: 'application',
  })),
  audited(OauthApplicationDeleted, async (event) => ({
    ...ofAuthor(event, event.data),
    message: `Deleted application ${event.data.name}`,
  })),
  audited(OauthAuthorizationGranted, async ({ data: { userId, oauthApplicationId, scopes } }, known) => ({
    ...(await ofUser(userId, known)),
    message: `Granted OAuth access ${program(oauthApplicationId)}: ${scopes.join(', ')}`,
    add: 'oauth_authorization',
  })),
  audited(OauthAuthorizationRevoked, async ({ data: { userId, oauthApplicationId, reason } }, known) => ({
    ...(await ofUser(userId, known)),
    message: `Revoked OAuth access ${program(oauthApplicationId)}${reason === 'reused' ? ', because a code or refresh token came twice' : ''}`,
  })),
];
