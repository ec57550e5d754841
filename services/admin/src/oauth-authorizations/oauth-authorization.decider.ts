import { hash } from 'node:crypto';
import type { OauthAuthorizationEvent } from '@forgelog/contracts/admin/oauth-authorizations/oauth-authorization.events.ts';
import type { Scope } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

type Granted = Extract<OauthAuthorizationEvent, { type: 'OauthAuthorizationGranted' }>['data'];

interface About {
  userId: number;
  oauthApplicationId: number | null;
}

export type OauthAuthorizationState =
  | { status: 'absent' }
  | ({ status: 'ended' } & About)
  | ({
      status: 'open';
      scopes: readonly Scope[];
      code: Granted['code'];
      /** Null before a code was exchanged. */
      tokens: { accessTokenSha256: string; refreshTokenSha256: string; expiresAt: string } | null;
      /** SHA-256 of refresh tokens that were exchanged, the newest last. */
      rotated: readonly string[];
    } & About);

/** Chosen before the command; of the tokens only their SHA-256. */
export interface NewTokens {
  tokenId: number;
  accessTokenSha256: string;
  refreshTokenSha256: string;
  /** In ISO 8601 and UTC. */
  now: string;
}

export type OauthAuthorizationCommand = { authorizationId: string } & (
  | ({ type: 'GrantByPassword'; scopes: readonly Scope[]; tokens: NewTokens } & About)
  | ({
      type: 'GrantByCode';
      scopes: readonly Scope[];
      codeSha256: string;
      redirectUri: string;
      challenge: { value: string; method: 'S256' | 'plain' } | null;
      now: string;
    } & About)
  | {
      type: 'RedeemCode';
      oauthApplicationId: number;
      codeSha256: string;
      redirectUri: string;
      verifier: string | null;
      tokens: NewTokens;
    }
  | {
      type: 'RefreshTokens';
      oauthApplicationId: number | null;
      presentedSha256: string;
      /** Null for those of the authorization. */
      scopes: readonly Scope[] | null;
      tokens: NewTokens;
    }
  | { type: 'RevokeAuthorization'; presentedSha256: string }
  | { type: 'EndAuthorization'; reason: 'expired' | 'shut_out' | 'deleted'; now: string }
);

const ACCESS_MS = 7_200_000;
const CODE_MS = 600_000;
/** For so long after its access token an authorization waits for a refresh. */
const UNUSED_MS = 180 * 86_400_000;
/** The reuse of a refresh token is recognised while so many came after it: months of a client that asks every two hours. */
const MOST_ROTATED = 1000;

export const oauthAuthorizationStream = (id: string) => `oauthAuthorization-${id}`;

/** When an authorization is over that is not used any more, by the end of what it issued last. */
export const endOf = (lastExpiresAt: string, isCode: boolean): string =>
  isCode ? lastExpiresAt : later(lastExpiresAt, UNUSED_MS);

export const oauthAuthorizationDecider: Decider<
  OauthAuthorizationState,
  OauthAuthorizationCommand,
  OauthAuthorizationEvent
> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    const { authorizationId } = command;
    if (command.type === 'GrantByPassword' || command.type === 'GrantByCode') {
      if (state.status !== 'absent') throw new Rejection('conflict', {});
      const about = { userId: command.userId, oauthApplicationId: command.oauthApplicationId };
      const scopes = [...command.scopes];
      const granted = { authorizationId, ...about, scopes };
      if (command.type === 'GrantByCode') {
        const { codeSha256, redirectUri, challenge, now } = command;
        const pkce = { challenge: challenge?.value ?? null, challengeMethod: challenge?.method ?? null };
        const code = { codeSha256, redirectUri, ...pkce, expiresAt: later(now, CODE_MS) };
        return [{ type: 'OauthAuthorizationGranted', data: { ...granted, code } }];
      }
      return [
        { type: 'OauthAuthorizationGranted', data: { ...granted, code: null } },
        issued(authorizationId, about, command.scopes, command.tokens),
      ];
    }
    if (state.status !== 'open') return [];
    const about = { userId: state.userId, oauthApplicationId: state.oauthApplicationId };
    const revoked = (reason: 'revoked' | 'reused'): OauthAuthorizationEvent => ({
      type: 'OauthAuthorizationRevoked',
      data: { authorizationId, ...about, reason },
    });
    switch (command.type) {
      case 'RedeemCode': {
        const { code } = state;
        if (code === null || code.codeSha256 !== command.codeSha256) return [];
        if (command.oauthApplicationId !== state.oauthApplicationId) return [];
        if (state.tokens !== null) return [revoked('reused')];
        const isRight =
          code.expiresAt > command.tokens.now &&
          code.redirectUri === command.redirectUri &&
          answersChallenge(command.verifier, code);
        return isRight ? [issued(authorizationId, about, state.scopes, command.tokens)] : [];
      }
      case 'RefreshTokens': {
        const { presentedSha256, oauthApplicationId, scopes, tokens } = command;
        if (oauthApplicationId !== state.oauthApplicationId || state.tokens === null) return [];
        if (state.rotated.includes(presentedSha256)) return [revoked('reused')];
        if (state.tokens.refreshTokenSha256 !== presentedSha256) return [];
        const wanted = scopes ?? state.scopes;
        if (!wanted.every((scope) => state.scopes.includes(scope)))
          throw new Rejection('validation_failed', { fields: { scope: ['is more than was granted'] } });
        return [issued(authorizationId, about, wanted, tokens)];
      }
      case 'RevokeAuthorization':
        return hasToken(state, command.presentedSha256) ? [revoked('revoked')] : [];
      case 'EndAuthorization': {
        const { reason, now } = command;
        if (reason === 'expired' && lastDay(state) > now) return [];
        return [{ type: 'OauthAuthorizationEnded', data: { authorizationId, ...about, reason } }];
      }
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'OauthAuthorizationGranted': {
        const { userId, oauthApplicationId, scopes, code } = event.data;
        return { status: 'open', userId, oauthApplicationId, scopes, code, tokens: null, rotated: [] };
      }
      case 'OauthTokensIssued': {
        if (state.status !== 'open') return state;
        const { accessTokenSha256, refreshTokenSha256, expiresAt } = event.data;
        const rotated = state.tokens
          ? [...state.rotated, state.tokens.refreshTokenSha256].slice(-MOST_ROTATED)
          : [];
        return { ...state, tokens: { accessTokenSha256, refreshTokenSha256, expiresAt }, rotated };
      }
      case 'OauthAuthorizationRevoked':
      case 'OauthAuthorizationEnded': {
        const { userId, oauthApplicationId } = event.data;
        return { status: 'ended', userId, oauthApplicationId };
      }
      default:
        return event satisfies never;
    }
  },
};

type Open = Extract<OauthAuthorizationState, { status: 'open' }>;

/** Whether it is a refresh token or the access token of the authorization; an exchanged one tells who may revoke it, too. */
export const hasToken = ({ tokens, rotated }: Open, tokenSha256: string): boolean =>
  tokens?.accessTokenSha256 === tokenSha256 ||
  tokens?.refreshTokenSha256 === tokenSha256 ||
  rotated.includes(tokenSha256);

const lastDay = ({ tokens, code }: Open): string =>
  tokens ? endOf(tokens.expiresAt, false) : endOf(code!.expiresAt, true);

function answersChallenge(
  verifier: string | null,
  { challenge, challengeMethod }: NonNullable<Granted['code']>,
): boolean {
  if (verifier === null || challenge === null) return verifier === null && challenge === null;
  return challenge === (challengeMethod === 'S256' ? hash('sha256', verifier, 'base64url') : verifier);
}

function issued(
  authorizationId: string,
  about: About,
  scopes: readonly Scope[],
  { now, ...tokens }: NewTokens,
): OauthAuthorizationEvent {
  const { userId, oauthApplicationId } = about;
  const data = { authorizationId, userId, oauthApplicationId, scopes: [...scopes], ...tokens };
  return { type: 'OauthTokensIssued', data: { ...data, expiresAt: later(now, ACCESS_MS) } };
}

const later = (time: string, ms: number): string => new Date(Date.parse(time) + ms).toISOString();
