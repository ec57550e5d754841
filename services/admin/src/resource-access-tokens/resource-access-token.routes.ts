import {
  groupAccessTokens,
  projectAccessTokens,
} from '@forgelog/contracts/admin/resource-access-tokens/resource-access-token.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { today } from '@forgelog/directory/calendar.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, type Condition, eq, oneOf } from '@forgelog/eventing/query.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { accessTokenDecider, accessTokenStream } from '../access-tokens/access-token.decider.ts';
import { type AccessTokenRow, accessTokens } from '../access-tokens/access-tokens.projection.ts';
import { workingOn } from '../access-tokens/access-tokens.query.ts';
import { checkToken, issueToken } from '../access-tokens/issue-token.commands.ts';
import { members } from '../members/members.collection.ts';
import { addBot, type BotPlace, createBot, deleteBot } from './bot.commands.ts';
import { newResourceAccessTokenJson, resourceAccessTokenJson } from './resource-access-token.view.ts';

export const resourceAccessTokenRoutes = (ports: ServicePorts): Implementation[] => [
  ...routesOf(ports, projectAccessTokens, ({ project }) => {
    const { id, ownerId } = project.project;
    return { source: 'project', id, ownerId };
  }),
  ...routesOf(ports, groupAccessTokens, ({ group }) => ({
    ...{ source: 'group', id: group.group.id, ownerId: null },
  })),
];

function routesOf(
  ports: ServicePorts,
  endpoints: typeof projectAccessTokens | typeof groupAccessTokens,
  placeOf: (request: ApiRequest) => BotPlace,
): Implementation[] {
  const { commands, readStore } = ports;
  const view = resourceAccessTokenJson.renderer(ports);
  const newTokenView = newResourceAccessTokenJson.renderer(ports);

  async function levelsIn(
    { source, id }: BotPlace,
    tokens: readonly AccessTokenRow[],
  ): Promise<Map<number, number>> {
    const userIds = tokens.map(({ userId }) => userId);
    const where = and(eq('source', source), eq('sourceId', id), oneOf('userId', userIds));
    const rows = await readStore.find(members, { where, limit: userIds.length });
    return new Map(rows.map(({ userId, accessLevel }) => [userId, accessLevel]));
  }

  async function requireToken(place: BotPlace, id: number): Promise<AccessTokenRow> {
    const where = and(working(place), eq('id', id));
    const [row] = await readStore.find(accessTokens, { where, limit: 1 });
    if (!row) throw new Rejection('record_not_found');
    return row;
  }

  const working = ({ source, id }: BotPlace): Condition =>
    and(eq(source === 'project' ? 'projectId' : 'groupId', id), workingOn(today(ports)));

  return [
    implement(endpoints.list, async (request) => {
      const place = placeOf(request);
      const { documents, next } = await pageOf(readStore, accessTokens, {
        where: working(place),
        sort: [asc('id')],
        page: request.page,
      });
      const levels = await levelsIn(place, documents);
      return { kind: 'list', items: view.list(documents, { today: today(ports), levels }), next };
    }),

    implement(endpoints.create, async (request) => {
      const { params, metadata } = request;
      const place = placeOf(request);
      const { name, scopes, access_level: accessLevel, expires_at: expiresAt = null } = params;
      const inPlace = {
        projectId: place.source === 'project' ? place.id : null,
        groupId: place.source === 'group' ? place.id : null,
      };
      const wanted = { name, scopes, expiresAt, impersonation: false, ...inPlace };
      checkToken({ ...wanted, userId: 0 });
      if (expiresAt !== null && expiresAt <= today(ports))
        throw new Rejection('validation_failed', { fields: { expires_at: ['must be in the future'] } });
      const userId = await ports.ids.next('user');
      const { row, token, caused } = await issueToken(ports, { ...wanted, userId }, metadata);
      // A crash from here on leaves a token that opens nothing: the sweep revokes it.
      await createBot(ports, place, { userId, name }, caused);
      await addBot(ports, place, { userId, accessLevel }, caused);
      const levels = new Map([[userId, accessLevel]]);
      return json(newTokenView.one(row, { today: today(ports), levels, token }));
    }),

    implement(endpoints.get, async (request) => {
      const place = placeOf(request);
      const row = await requireToken(place, request.params.token_id);
      return json(view.one(row, { today: today(ports), levels: await levelsIn(place, [row]) }));
    }),

    implement(endpoints.revoke, async (request) => {
      const { id: tokenId, userId } = await requireToken(placeOf(request), request.params.token_id);
      await commands.handle(
        accessTokenDecider,
        accessTokenStream(tokenId),
        { type: 'RevokePersonalAccessToken', tokenId, ownerId: userId, impersonation: false },
        request.metadata,
      );
      await deleteBot(ports, userId, request.metadata);
      return noContent();
    }),
  ];
}
