import {
  groupVariables,
  instanceVariables,
  projectVariables,
} from '@forgelog/contracts/ci/ci-variables/ci-variable.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, type Condition, eq } from '@forgelog/eventing/query.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import {
  type CiVariableCommand,
  ciVariableDecider,
  requireOne,
  type VariablePlace,
  variablesStream,
} from './ci-variable.decider.ts';
import { isMaskable } from './ci-variable.rules.ts';
import { ciVariableJson, instanceCiVariableJson } from './ci-variable.view.ts';
import { ciVariables } from './ci-variables.projection.ts';
import { opened, sealedPlace, variableSealer } from './open-variables.ts';

type Endpoints = typeof projectVariables | typeof groupVariables | typeof instanceVariables;

interface ScopeParams {
  environment_scope?: string | undefined;
  filter?: { environment_scope?: string | undefined } | undefined;
}

export function ciVariableRoutes(ports: ServicePorts): Implementation[] {
  const scoped = ciVariableJson.renderer(ports);
  const unscoped = instanceCiVariableJson.renderer(ports);
  return [
    ...routesOf(ports, projectVariables, scoped, ({ project }) => ({
      projectId: project.project.id,
      groupId: null,
    })),
    ...routesOf(ports, groupVariables, scoped, ({ group }) => ({ projectId: null, groupId: group.group.id })),
    ...routesOf(ports, instanceVariables, unscoped, () => ({ projectId: null, groupId: null })),
  ];
}

function routesOf(
  { commands, ids, readStore, configuration }: ServicePorts,
  endpoints: Endpoints,
  view: ReturnType<typeof ciVariableJson.renderer>,
  placeOf: (request: ApiRequest) => VariablePlace,
): Implementation[] {
  const sealer = variableSealer({ configuration });
  const ofPlace = ({ projectId, groupId }: VariablePlace): Condition =>
    and(eq('projectId', projectId), eq('groupId', groupId));

  const sealed = (place: VariablePlace, key: string, value: string) => ({
    sealedValue: sealer.seal(sealedPlace({ ...place, key }), value),
    isMaskable: isMaskable(value),
  });

  function named(request: ApiRequest<Endpoints['get']>) {
    const { filter } = request.params as ScopeParams;
    return {
      ...placeOf(request),
      key: request.params.key,
      environmentScope: filter?.environment_scope,
    };
  }

  async function answerOf(place: VariablePlace, key: string, environmentScope: string | undefined) {
    const scope = environmentScope === undefined ? [] : [eq('environmentScope', environmentScope)];
    const where = and(ofPlace(place), eq('key', key), ...scope);
    const row = requireOne(await readStore.find(ciVariables, { where, limit: 2 }));
    return json(view.one(opened(row, sealer)));
  }

  const handle = (request: ApiRequest, command: CiVariableCommand) =>
    commands.handle(ciVariableDecider, variablesStream(placeOf(request)), command, request.metadata);

  return [
    implement(endpoints.list, async (request) => {
      const where = ofPlace(placeOf(request));
      const { documents, next } = await pageOf(readStore, ciVariables, {
        where,
        sort: [asc('id')],
        page: request.page,
      });
      return { kind: 'list', items: view.list(documents.map((row) => opened(row, sealer))), next };
    }),

    implement(endpoints.get, async (request) => {
      const { key, environmentScope } = named(request);
      return answerOf(placeOf(request), key, environmentScope);
    }),

    implement(endpoints.create, async (request) => {
      const { params } = request;
      const place = placeOf(request);
      const environmentScope = (params as ScopeParams).environment_scope ?? '*';
      const commandFor = (variableId: number) => ({
        type: 'AddCiVariable' as const,
        ...place,
        variableId,
        key: params.key,
        variableType: params.variable_type,
        protected: params.protected,
        masked: params.masked,
        environmentScope,
        ...sealed(place, params.key, params.value),
      });
      // Validate before reserving an id.
      ciVariableDecider.decide(commandFor(0), ciVariableDecider.initialState);
      const variableId = await ids.next('ciVariable');
      await handle(request, commandFor(variableId));
      return answerOf(place, params.key, environmentScope);
    }),

    implement(endpoints.update, async (request) => {
      const { params } = request;
      const one = named(request);
      const environmentScope = (params as ScopeParams).environment_scope;
      await handle(request, {
        type: 'ChangeCiVariable',
        ...one,
        changes: {
          variableType: params.variable_type,
          protected: params.protected,
          masked: params.masked,
          environmentScope,
        },
        value: params.value === undefined ? undefined : sealed(one, one.key, params.value),
      });
      return answerOf(one, one.key, environmentScope ?? one.environmentScope);
    }),

    implement(endpoints.delete, async (request) => {
      await handle(request, { type: 'RemoveCiVariable', ...named(request) });
      return noContent();
    }),
  ];
}
