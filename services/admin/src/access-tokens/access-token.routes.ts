import {
  createAccessToken,
  getAccessToken,
  getOwnAccessToken,
  listAccessTokens,
  revokeAccessToken,
} from '@forgelog/contracts/admin/access-tokens/access-token.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { today } from '@forgelog/directory/calendar.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, eq } from '@forgelog/eventing/query.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { users } from '../users/users.projection.ts';
import { accessTokenDecider, accessTokenStream } from './access-token.decider.ts';
import { accessTokenJson, newAccessTokenJson } from './access-token.view.ts';
import { type AccessTokenRow, accessTokens } from './access-tokens.projection.ts';
import { issueToken } from './issue-token.commands.ts';

export function accessTokenRoutes(ports: ServicePorts): Implementation[] {
  const { commands, readStore } = ports;
  const view = accessTokenJson.renderer(ports);
  const newTokenView = newAccessTokenJson.renderer(ports);

  async function needRow(id: number, maySee: (row: AccessTokenRow) => boolean): Promise<AccessTokenRow> {
    const row = await readStore.get(accessTokens, id);
    if (!row || !maySee(row)) throw new Rejection('not_found', { what: 'Personal Access Token' });
    return row;
  }

  return [
    implement(createAccessToken, async ({ params, metadata }) => {
      const { user_id: userId, name, scopes, expires_at } = params;
      if (!(await readStore.get(users, userId))) throw new Rejection('not_found', { what: 'User' });
      const { row, token } = await issueToken(
        ports,
        {
          ...{ userId, name, scopes, expiresAt: expires_at ?? null },
          ...{ impersonation: false, projectId: null, groupId: null },
        },
        metadata,
      );
      return json(newTokenView.one(row, { today: today(ports), token }));
    }),

    implement(listAccessTokens, async ({ params, caller, page }) => {
      const { user_id } = params;
      if (!caller.isAdmin && user_id !== undefined && user_id !== caller.userId)
        throw new Rejection('unauthorized');
      const userId = caller.isAdmin ? user_id : caller.userId;
      const where = and(eq('impersonation', false), ...(userId === undefined ? [] : [eq('userId', userId)]));
      const { documents, next } = await pageOf(readStore, accessTokens, { where, sort: [asc('id')], page });
      return { kind: 'list', items: view.list(documents, { today: today(ports) }), next };
    }),

    implement(getOwnAccessToken, async ({ caller }) =>
      json(view.one(await needRow(ownTokenId(caller), () => true), { today: today(ports) })),
    ),

    implement(getAccessToken, async ({ params, caller }) => {
      const maySee = ({ userId, impersonation }: AccessTokenRow) =>
        !impersonation && (caller.isAdmin || userId === caller.userId);
      return json(view.one(await needRow(params.id, maySee), { today: today(ports) }));
    }),

    implement(revokeAccessToken, async ({ params, caller, metadata }) => {
      await commands.handle(
        accessTokenDecider,
        accessTokenStream(params.id),
        {
          type: 'RevokePersonalAccessToken',
          tokenId: params.id,
          ownerId: caller.isAdmin ? null : caller.userId,
          impersonation: caller.isAdmin ? null : false,
        },
        metadata,
      );
      return noContent();
    }),
  ];
}

/** @throws 400 for a caller with another credential */
function ownTokenId({ credential: { kind, id } }: Principal): number {
  if (kind === 'personal_access_token' && id !== null) return id;
  throw new Rejection('bad_request', {
    reason: 'This endpoint requires token type to be a personal access token',
  });
}
