import {
  createImpersonationToken,
  getImpersonationToken,
  listImpersonationTokens,
  revokeImpersonationToken,
} from '@forgelog/contracts/admin/access-tokens/impersonation-token.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { today } from '@forgelog/directory/calendar.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, eq, not } from '@forgelog/eventing/query.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { users } from '../users/users.projection.ts';
import { accessTokenDecider, accessTokenStream } from './access-token.decider.ts';
import { impersonationTokenJson, newImpersonationTokenJson } from './access-token.view.ts';
import { accessTokens } from './access-tokens.projection.ts';
import { workingOn } from './access-tokens.query.ts';
import { issueToken } from './issue-token.commands.ts';

export function impersonationTokenRoutes(ports: ServicePorts): Implementation[] {
  const { commands, readStore } = ports;
  const view = impersonationTokenJson.renderer(ports);
  const newTokenView = newImpersonationTokenJson.renderer(ports);
  const ofUser = (userId: number) => and(eq('impersonation', true), eq('userId', userId));

  async function requireUser(userId: number): Promise<void> {
    if (!(await readStore.get(users, userId))) throw new Rejection('not_found', { what: 'User' });
  }

  return [
    implement(listImpersonationTokens, async ({ params, page }) => {
      const { user_id: userId, state } = params;
      await requireUser(userId);
      const day = today(ports);
      const works = workingOn(day);
      const inState = state === 'all' ? and() : state === 'active' ? works : not(works);
      const where = and(ofUser(userId), inState);
      const { documents, next } = await pageOf(readStore, accessTokens, { where, sort: [asc('id')], page });
      return { kind: 'list', items: view.list(documents, { today: day }), next };
    }),

    implement(createImpersonationToken, async ({ params, metadata }) => {
      const { user_id: userId, name, scopes = [], expires_at: expiresAt = null } = params;
      if (ports.configuration.IMPERSONATION === 'off')
        throw new Rejection('forbidden', { reason: 'Impersonation is disabled' });
      await requireUser(userId);
      const { row, token } = await issueToken(
        ports,
        { userId, name, scopes, expiresAt, impersonation: true, projectId: null, groupId: null },
        metadata,
      );
      return json(newTokenView.one(row, { today: today(ports), token }));
    }),

    implement(getImpersonationToken, async ({ params }) => {
      const { user_id: userId, impersonation_token_id: id } = params;
      await requireUser(userId);
      const where = and(ofUser(userId), eq('id', id));
      const [row] = await readStore.find(accessTokens, { where, limit: 1 });
      if (!row) throw new Rejection('not_found', { what: 'Impersonation Token' });
      return json(view.one(row, { today: today(ports) }));
    }),

    implement(revokeImpersonationToken, async ({ params, metadata }) => {
      const { user_id: ownerId, impersonation_token_id: tokenId } = params;
      await requireUser(ownerId);
      await commands.handle(
        accessTokenDecider,
        accessTokenStream(tokenId),
        { type: 'RevokePersonalAccessToken', tokenId, ownerId, impersonation: true },
        metadata,
      );
      return noContent();
    }),
  ];
}
