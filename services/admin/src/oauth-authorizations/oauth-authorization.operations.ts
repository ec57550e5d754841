import {
  grantByCode,
  grantByPassword,
  redeemCode,
  refreshTokens,
  revokeAuthorization,
} from '@forgelog/contracts/admin/oauth-authorizations/oauth-authorization.operations.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { AnswerOf } from '@forgelog/contracts/operation.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { AppendedEvent, EventMetadata } from '@forgelog/eventing/event.ts';
import { implementOperation, type OperationImplementation } from '@forgelog/service-kit/operations.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import {
  hasToken,
  type NewTokens,
  type OauthAuthorizationCommand,
  type OauthAuthorizationState,
  oauthAuthorizationDecider,
  oauthAuthorizationStream,
} from './oauth-authorization.decider.ts';

type OpenAuthorization = Extract<OauthAuthorizationState, { status: 'open' }>;
type Answer = AnswerOf<typeof refreshTokens>;
type Issued = Extract<Answer, { outcome: 'issued' }>;
type Made = Pick<NewTokens, 'accessTokenSha256' | 'refreshTokenSha256'>;

const REFUSED = { outcome: 'refused' } as const;

/** The gateway asks, which verified the password, the consent or the secret of an application. */
export function oauthAuthorizationOperations(ports: ServicePorts): OperationImplementation[] {
  const { clock, commands, directory, ids } = ports;
  const now = () => clock().toISOString();
  const newTokens = async ({ accessTokenSha256, refreshTokenSha256 }: Made): Promise<NewTokens> => ({
    ...{ tokenId: await ids.next('oauthToken'), accessTokenSha256, refreshTokenSha256, now: now() },
  });

  async function handle(command: OauthAuthorizationCommand, metadata: EventMetadata, operationId: string) {
    const stream = oauthAuthorizationStream(command.authorizationId);
    const { events } = await commands.handle(oauthAuthorizationDecider, stream, command, metadata, {
      operationId,
    });
    return events;
  }

  const load = async (authorizationId: string): Promise<OauthAuthorizationState> =>
    (await commands.load(oauthAuthorizationDecider, oauthAuthorizationStream(authorizationId))).state;

  /** Asked before a number is reserved: who guesses tokens must not fill the log with numbers. */
  async function userOfOpen(
    authorizationId: string,
    isMeant: (state: OpenAuthorization) => boolean,
  ): Promise<number | undefined> {
    const state = await load(authorizationId);
    if (state.status !== 'open' || !isMeant(state)) return undefined;
    return (await directory.user(state.userId))?.state === 'active' ? state.userId : undefined;
  }

  return [
    implementOperation(grantByPassword, async ({ request, principal, operationId, metadata }) => {
      const { oauthApplicationId, scopes, ...made } = request;
      const events = await handle(
        {
          ...{ type: 'GrantByPassword', authorizationId: operationId, scopes },
          ...{ userId: userIn(principal), oauthApplicationId, tokens: await newTokens(made) },
        },
        metadata,
        operationId,
      );
      return answerOf(events)!;
    }),

    implementOperation(grantByCode, async ({ request, principal, operationId, metadata }) => {
      const command = { type: 'GrantByCode' as const, authorizationId: operationId, ...request, now: now() };
      await handle({ ...command, userId: userIn(principal) }, metadata, operationId);
      return {};
    }),

    implementOperation(redeemCode, async ({ request, operationId, metadata }) => {
      const { authorizationId, accessTokenSha256, refreshTokenSha256, ...asked } = request;
      const isMeant = ({ code }: OpenAuthorization) => code?.codeSha256 === asked.codeSha256;
      const userId = await userOfOpen(authorizationId, isMeant);
      if (userId === undefined) return REFUSED;
      const tokens = await newTokens({ accessTokenSha256, refreshTokenSha256 });
      const command = { type: 'RedeemCode' as const, authorizationId, ...asked, tokens };
      return answerOf(await handle(command, inNameOf(userId, metadata), operationId)) ?? REFUSED;
    }),

    implementOperation(refreshTokens, async ({ request, operationId, metadata }) => {
      const { authorizationId, accessTokenSha256, refreshTokenSha256, ...asked } = request;
      const isMeant = (state: OpenAuthorization) => hasToken(state, asked.presentedSha256);
      const userId = await userOfOpen(authorizationId, isMeant);
      if (userId === undefined) return REFUSED;
      const tokens = await newTokens({ accessTokenSha256, refreshTokenSha256 });
      const command = { type: 'RefreshTokens' as const, authorizationId, ...asked, tokens };
      try {
        return answerOf(await handle(command, inNameOf(userId, metadata), operationId)) ?? REFUSED;
      } catch (error) {
        if (error instanceof Rejection && error.code === 'validation_failed')
          return { outcome: 'scope_refused' as const };
        throw error;
      }
    }),

    implementOperation(revokeAuthorization, async ({ request, operationId, metadata }) => {
      const { authorizationId, oauthApplicationId, presentedSha256 } = request;
      const state = await load(authorizationId);
      if (state.status !== 'open' || !hasToken(state, presentedSha256)) return { outcome: 'done' as const };
      if (state.oauthApplicationId !== oauthApplicationId) return { outcome: 'of_another' as const };
      const command = { type: 'RevokeAuthorization', authorizationId, presentedSha256 } as const;
      await handle(command, inNameOf(state.userId, metadata), operationId);
      return { outcome: 'done' as const };
    }),
  ];
}

/** Undefined where nothing was issued, also where a reuse revoked the authorization. */
function answerOf(events: readonly AppendedEvent[]): Issued | undefined {
  const issued = events.find(({ type }) => type === 'OauthTokensIssued');
  if (!issued) return undefined;
  const { scopes, expiresAt } = issued.data as Pick<Issued, 'scopes' | 'expiresAt'>;
  return { outcome: 'issued', scopes, createdAt: issued.time, expiresAt };
}

/** A token acts for its user, whoever has it. */
const inNameOf = (userId: number, metadata: EventMetadata): EventMetadata => ({
  ...{ ...metadata, actorId: userId },
  credential: { kind: 'oauth_token', id: null },
});

function userIn(principal: Principal | null): number {
  if (!principal || principal.deployToken) throw new Rejection('unauthorized');
  return principal.userId;
}
