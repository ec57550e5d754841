import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import {
  grantByPassword,
  redeemCode,
  refreshTokens,
} from '@forgelog/contracts/admin/oauth-authorizations/oauth-authorization.operations.ts';
import { SCOPES, type Scope } from '@forgelog/contracts/endpoint.ts';
import type { AnswerOf } from '@forgelog/contracts/operation.ts';
import type { Operations } from '@forgelog/service-kit/operations.ts';
import { metadataOf, type Principal } from '@forgelog/service-kit/principal.ts';
import { BlockedUser, sha256 } from '../authentication.ts';
import type { BasicAuthentication } from '../basic-authentication.ts';
import type { RequestRecord } from '../request-record.ts';
import type { SignIns } from '../sign-ins.ts';
import type { ClientAuthentication, PresentedClient } from './client-authentication.ts';
import { invalidGrant, invalidRequest, invalidScope, OauthError } from './oauth-error.ts';
import { type OauthParameters, scopesIn, scopesWithin } from './oauth-parameters.ts';
import { authorizationIdIn, newAccessToken, newValue } from './token-values.ts';

export interface TokenGrantPorts {
  basic: Pick<BasicAuthentication, 'account'>;
  signIns: Pick<SignIns, 'used' | 'refused' | 'wrongToken'>;
  clientOf: ClientAuthentication;
  operations: Operations;
}

export interface TokenRequest {
  request: IncomingMessage;
  record: RequestRecord;
  parameters: OauthParameters;
}

interface Asked {
  record: RequestRecord;
  parameters: OauthParameters;
  client: PresentedClient['client'] | null;
}

type Answer = AnswerOf<typeof refreshTokens>;

/** Answers `POST /oauth/token`. @throws OauthError, Rejection 429 after too many wrong passwords or tokens */
export function createTokenGrants({ basic, signIns, clientOf, operations }: TokenGrantPorts) {
  /** Only the answer has the tokens themselves. */
  function tokensOf(authorizationId: string) {
    const tokens = { access: newAccessToken(), refresh: newValue('refresh', authorizationId) };
    return {
      made: {
        accessTokenSha256: sha256(tokens.access),
        refreshTokenSha256: sha256(tokens.refresh),
      },
      answer(issued: Answer): object {
        if (issued.outcome !== 'issued')
          throw issued.outcome === 'scope_refused' ? invalidScope() : invalidGrant();
        const created = Date.parse(issued.createdAt);
        return {
          access_token: tokens.access,
          token_type: 'Bearer',
          expires_in: Math.round((Date.parse(issued.expiresAt) - created) / 1000),
          refresh_token: tokens.refresh,
          scope: issued.scopes.join(' '),
          created_at: Math.floor(created / 1000),
        };
      },
    };
  }

  /** Counts a code or refresh token that is refused as a guess. */
  async function counted(issued: Answer, value: string, record: RequestRecord): Promise<Answer> {
    if (issued.outcome === 'refused') await signIns.wrongToken(sha256(value), record);
    return issued;
  }

  async function accountOf(username: string, password: string, record: RequestRecord): Promise<Principal> {
    const principal = await basic.account(username, password, record).catch((error: unknown) => {
      if (!(error instanceof BlockedUser)) throw error;
      signIns.refused('blocked_user', record, error.userId);
      return undefined;
    });
    if (!principal) throw invalidGrant();
    record.principal = principal;
    await signIns.used(principal, record);
    return principal;
  }

  async function byPassword({ record, parameters, client }: Asked): Promise<object> {
    const username = parameters.required('username');
    const password = parameters.required('password');
    const wanted = scopesIn(parameters.text('scope'));
    const allowed = (client?.scopes ?? SCOPES) as readonly Scope[];
    const scopes = scopesWithin(allowed, wanted ?? (allowed.includes('api') ? ['api'] : null));
    const principal = await accountOf(username, password, record);
    const operationId = randomUUID();
    const { made, answer } = tokensOf(operationId);
    const request = { oauthApplicationId: client?.oauthApplicationId ?? null, scopes, ...made };
    const metadata = metadataOf(principal, record);
    return answer(await operations.call(grantByPassword, request, { principal, operationId, metadata }));
  }

  async function byCode({ record, parameters, client }: Asked): Promise<object> {
    if (!client) throw invalidRequest('client_id is missing');
    const code = parameters.required('code');
    const redirectUri = parameters.required('redirect_uri');
    const verifier = parameters.text('code_verifier') ?? null;
    const authorizationId = authorizationIdIn('code', code) ?? randomUUID();
    const { made, answer } = tokensOf(authorizationId);
    const { oauthApplicationId } = client;
    const request = { authorizationId, oauthApplicationId, codeSha256: sha256(code), redirectUri, verifier };
    const issued = await operations.call(redeemCode, { ...request, ...made }, asking(record));
    return answer(await counted(issued, code, record));
  }

  async function byRefreshToken({ record, parameters, client }: Asked): Promise<object> {
    const presented = parameters.required('refresh_token');
    const scopes = scopesIn(parameters.text('scope'));
    const authorizationId = authorizationIdIn('refresh', presented) ?? randomUUID();
    const { made, answer } = tokensOf(authorizationId);
    const oauthApplicationId = client?.oauthApplicationId ?? null;
    const request = { authorizationId, oauthApplicationId, presentedSha256: sha256(presented), scopes };
    const issued = await operations.call(refreshTokens, { ...request, ...made }, asking(record));
    return answer(await counted(issued, presented, record));
  }

  const grants: Readonly<Record<string, (asked: Asked) => Promise<object>>> = {
    password: byPassword,
    authorization_code: byCode,
    refresh_token: byRefreshToken,
  };

  return async ({ request, record, parameters }: TokenRequest): Promise<object> => {
    const type = parameters.required('grant_type');
    const grant = Object.hasOwn(grants, type) ? grants[type] : undefined;
    if (!grant)
      throw new OauthError(
        400,
        'unsupported_grant_type',
        `The grant type is none of ${Object.keys(grants).join(', ')}.`,
      );
    const presented = await clientOf(request, record, parameters);
    return grant({ record, parameters, client: presented?.client ?? null });
  };
}

const asking = (record: RequestRecord) => ({
  ...{ principal: null, operationId: randomUUID() },
  metadata: metadataOf(null, record),
});
