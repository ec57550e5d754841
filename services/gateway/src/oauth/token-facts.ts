import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { revokeAuthorization } from '@forgelog/contracts/admin/oauth-authorizations/oauth-authorization.operations.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { eq } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { Operations } from '@forgelog/service-kit/operations.ts';
import { metadataOf } from '@forgelog/service-kit/principal.ts';
import { type Authentication, sha256 } from '../authentication.ts';
import { readCredentials } from '../presented-credentials.ts';
import type { RequestRecord } from '../request-record.ts';
import type { SignIns } from '../sign-ins.ts';
import type { ClientAuthentication } from './client-authentication.ts';
import { gatewayOauthClients } from './oauth-clients.projection.ts';
import { invalidClient, OauthError } from './oauth-error.ts';
import type { GatewayOauthToken } from './oauth-tokens.projection.ts';
import type { TokenRequest } from './token-grants.ts';
import { authorizationIdIn } from './token-values.ts';

export interface TokenFactsPorts {
  authentication: Pick<Authentication, 'oauthToken'>;
  signIns: Pick<SignIns, 'wrongToken'>;
  readStore: ReadStore;
  clientOf: ClientAuthentication;
  operations: Operations;
  clock: () => Date;
}

/** Tells about tokens, and revokes them. */
export function createTokenFacts(ports: TokenFactsPorts) {
  const { authentication, signIns, readStore, clientOf, operations, clock } = ports;
  const seconds = (time: string) => Math.floor(Date.parse(time) / 1000);

  /** One of a blocked user is none. */
  const workingToken = (token: string): Promise<GatewayOauthToken | undefined> =>
    authentication.oauthToken(token).catch((error: unknown) => {
      if (error instanceof Rejection && error.code === 'forbidden') return undefined;
      throw error;
    });

  async function clientIdOf({ oauthApplicationId }: GatewayOauthToken): Promise<string | null> {
    if (oauthApplicationId === null) return null;
    const where = eq('oauthApplicationId', oauthApplicationId);
    const found = await readStore.find(gatewayOauthClients, { where, limit: 1, select: ['clientId'] });
    return found[0]?.clientId ?? null;
  }

  return {
    /** Answers `GET /oauth/token/info`. @throws OauthError 401 */
    async info(request: IncomingMessage, record: RequestRecord): Promise<object> {
      const { token } = readCredentials(request.headers, record.search);
      const found = token === undefined ? undefined : await workingToken(token);
      if (!found) {
        if (token !== undefined) await signIns.wrongToken(sha256(token), record);
        throw new OauthError(
          401,
          'invalid_request',
          'The access token is missing, expired, revoked or unknown.',
          { 'WWW-Authenticate': 'Bearer realm="Forgelog"' },
        );
      }
      const left = Math.ceil((Date.parse(found.expiresAt) - clock().getTime()) / 1000);
      return {
        resource_owner_id: found.userId,
        scope: found.scopes,
        expires_in: left,
        application: { uid: await clientIdOf(found) },
        created_at: seconds(found.createdAt),
        scopes: found.scopes,
        expires_in_seconds: left,
      };
    },

    /** Answers `POST /oauth/introspect` (RFC 7662), to applications about their own tokens. @throws OauthError 401 */
    async introspect({ request, record, parameters }: TokenRequest): Promise<object> {
      const presented = await clientOf(request, record, parameters);
      if (!presented?.authenticated) throw invalidClient();
      const found = await workingToken(parameters.required('token'));
      const { clientId, oauthApplicationId } = presented.client;
      if (found?.oauthApplicationId !== oauthApplicationId) return { active: false };
      return {
        active: true,
        scope: found.scopes.join(' '),
        client_id: clientId,
        token_type: 'Bearer',
        exp: seconds(found.expiresAt),
        iat: seconds(found.createdAt),
        sub: String(found.userId),
      };
    },

    /** Answers `POST /oauth/revoke` (RFC 7009). @throws OauthError 403 for a token of another application */
    async revoke({ request, record, parameters }: TokenRequest): Promise<object> {
      const presented = await clientOf(request, record, parameters);
      const token = parameters.required('token');
      const authorizationId =
        authorizationIdIn('refresh', token) ?? (await workingToken(token))?.authorizationId;
      if (authorizationId === undefined) return {};
      const asked = {
        ...{ authorizationId, presentedSha256: sha256(token) },
        oauthApplicationId: presented?.client.oauthApplicationId ?? null,
      };
      const { outcome } = await operations.call(revokeAuthorization, asked, {
        ...{ principal: null, operationId: randomUUID(), metadata: metadataOf(null, record) },
      });
      if (outcome === 'of_another')
        throw new OauthError(403, 'unauthorized_client', 'The token is not of this client.');
      return {};
    },
  };
}
