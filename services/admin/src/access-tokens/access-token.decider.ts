import type { AccessTokenEvent } from '@forgelog/contracts/admin/access-tokens/access-token.events.ts';
import type { Scope } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

export type AccessTokenState =
  | { status: 'absent' }
  | {
      status: 'issued' | 'revoked' | 'ended';
      userId: number;
      name: string;
      expiresAt: string | null;
      impersonation: boolean;
    };

export type AccessTokenCommand =
  | {
      type: 'CreatePersonalAccessToken';
      tokenId: number;
      userId: number;
      name: string;
      scopes: readonly Scope[];
      /** `YYYY-MM-DD`, the first day on which it is invalid; null for never. */
      expiresAt: string | null;
      /** Hexadecimal SHA-256; the token itself is shown only to its owner. */
      tokenSha256: string;
      impersonation: boolean;
      /** The place that it opens, where its user is a bot of one. */
      projectId: number | null;
      groupId: number | null;
    }
  | {
      type: 'RevokePersonalAccessToken';
      tokenId: number;
      /** The required owner; null for any (an administrator revokes). */
      ownerId: number | null;
      /** Which of both kinds is meant; null for either. */
      impersonation: boolean | null;
    }
  | {
      type: 'EndPersonalAccessToken';
      tokenId: number;
      reason: 'expired' | 'deleted';
      today: string;
    };

export const accessTokenStream = (id: number) => `accessToken-${id}`;

export const accessTokenDecider: Decider<AccessTokenState, AccessTokenCommand, AccessTokenEvent> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    switch (command.type) {
      case 'CreatePersonalAccessToken': {
        const { type: _, scopes, ...token } = command;
        const fields: Record<string, string[]> = {};
        if (token.name.trim() === '') fields.name = ["can't be blank"];
        if (scopes.length === 0) fields.scopes = ["can't be blank"];
        if (Object.keys(fields).length > 0) throw new Rejection('validation_failed', { fields });
        return [{ type: 'PersonalAccessTokenCreated', data: { ...token, scopes: [...new Set(scopes)] } }];
      }
      case 'RevokePersonalAccessToken': {
        const { tokenId, ownerId, impersonation } = command;
        const isMeant =
          state.status !== 'absent' &&
          (ownerId === null || ownerId === state.userId) &&
          (impersonation === null || impersonation === state.impersonation);
        if (!isMeant)
          throw new Rejection('not_found', {
            what: impersonation ? 'Impersonation Token' : 'Personal Access Token',
          });
        if (state.status === 'revoked') return [];
        const { userId, name } = state;
        return [{ type: 'PersonalAccessTokenRevoked', data: { tokenId, userId, name } }];
      }
      case 'EndPersonalAccessToken': {
        const { tokenId, reason, today } = command;
        if (state.status !== 'issued') return [];
        const { userId, expiresAt } = state;
        const isOver = reason === 'deleted' || (expiresAt !== null && expiresAt <= today);
        return isOver ? [{ type: 'PersonalAccessTokenEnded', data: { tokenId, userId, reason } }] : [];
      }
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'PersonalAccessTokenCreated': {
        const { userId, name, expiresAt, impersonation } = event.data;
        return { status: 'issued', userId, name, expiresAt, impersonation };
      }
      case 'PersonalAccessTokenRevoked':
        return state.status === 'absent' ? state : { ...state, status: 'revoked' };
      case 'PersonalAccessTokenEnded':
        return state.status === 'issued' ? { ...state, status: 'ended' } : state;
      default:
        return event satisfies never;
    }
  },
};
