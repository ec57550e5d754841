import {
  groupDeployTokens,
  listDeployTokens,
  projectDeployTokens,
} from '@forgelog/contracts/admin/deploy-tokens/deploy-token.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, type Condition, eq, or, range } from '@forgelog/eventing/query.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { type PageRequest, pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { newToken } from '../access-tokens/new-token.ts';
import { sha256 } from '../shared/sha256.ts';
import { type DeployTokenPlace, deployTokenDecider, deployTokenStream } from './deploy-token.decider.ts';
import { deployTokenJson, newDeployTokenJson } from './deploy-token.view.ts';
import { type DeployTokenRow, deployTokens } from './deploy-tokens.projection.ts';

export function deployTokenRoutes(ports: ServicePorts): Implementation[] {
  const listed = lister(ports);
  return [
    implement(listDeployTokens, ({ params, page }) => listed([], params.active, page)),
    ...routesOf(ports, projectDeployTokens, ({ project }) => ({
      projectId: project.project.id,
      groupId: null,
    })),
    ...routesOf(ports, groupDeployTokens, ({ group }) => ({ projectId: null, groupId: group.group.id })),
  ];
}

function lister(ports: ServicePorts) {
  const { readStore, clock } = ports;
  const view = deployTokenJson.renderer(ports);
  return async (where: Condition[], active: boolean | undefined, page: PageRequest) => {
    const now = clock().toISOString();
    const works = or(eq('expiresAt', null), range('expiresAt', { gt: now }));
    const kept = active === undefined ? [] : [active ? works : range('expiresAt', { lte: now })];
    const { documents, next } = await pageOf(readStore, deployTokens, {
      where: and(...where, ...kept),
      sort: [asc('id')],
      page,
    });
    return { kind: 'list' as const, items: view.list(documents, { now }), next };
  };
}

function routesOf(
  ports: ServicePorts,
  endpoints: typeof projectDeployTokens | typeof groupDeployTokens,
  placeOf: (request: ApiRequest) => DeployTokenPlace,
): Implementation[] {
  const { clock, commands, ids, readStore } = ports;
  const listed = lister(ports);
  const view = deployTokenJson.renderer(ports);
  const newTokenView = newDeployTokenJson.renderer(ports);
  const now = () => clock().toISOString();

  async function requireRow({ projectId, groupId }: DeployTokenPlace, id: number): Promise<DeployTokenRow> {
    const row = await readStore.get(deployTokens, id);
    if (!row || row.projectId !== projectId || row.groupId !== groupId)
      throw new Rejection('record_not_found');
    return row;
  }

  return [
    implement(endpoints.list, (request) => {
      const { projectId, groupId } = placeOf(request);
      const where = projectId === null ? eq('groupId', groupId) : eq('projectId', projectId);
      return listed([where], request.params.active, request.page);
    }),

    implement(endpoints.get, async (request) =>
      json(view.one(await requireRow(placeOf(request), request.params.token_id), { now: now() })),
    ),

    implement(endpoints.create, async (request) => {
      const { name, scopes, expires_at: expiresAt = null, username } = request.params;
      const place = placeOf(request);
      const token = newToken('fldt');
      const commandFor = (deployTokenId: number) => ({
        type: 'CreateDeployToken' as const,
        ...{ deployTokenId, ...place, name, scopes, expiresAt },
        // Clients send an empty name where they mean none.
        ...{ username: username || null, tokenSha256: sha256(token) },
      });
      // Validate before reserving an id.
      deployTokenDecider.decide(commandFor(0), deployTokenDecider.initialState);
      const id = await ids.next('deployToken');
      const stream = deployTokenStream(id);
      await commands.handle(deployTokenDecider, stream, commandFor(id), request.metadata, {
        mustBeNew: true,
      });
      return json(newTokenView.one(await requireRow(place, id), { now: now(), token }));
    }),

    implement(endpoints.delete, async (request) => {
      const deployTokenId = request.params.token_id;
      await commands.handle(
        deployTokenDecider,
        deployTokenStream(deployTokenId),
        { type: 'DeleteDeployToken', deployTokenId, ...placeOf(request) },
        request.metadata,
      );
      return noContent();
    }),
  ];
}
