import {
  createFeatureFlag,
  deleteFeatureFlag,
  getFeatureFlag,
  listFeatureFlags,
  updateFeatureFlag,
} from '@forgelog/contracts/ci/feature-flags/feature-flag.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, eq } from '@forgelog/eventing/query.ts';
import { type Answer, json } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import {
  type FeatureFlagCommand,
  featureFlagDecider,
  featureFlagsStream,
  type StrategyChange,
} from './feature-flag.decider.ts';
import { withLists } from './feature-flag.query.ts';
import type { FlagStrategy } from './feature-flag.rules.ts';
import { featureFlagJson } from './feature-flag.view.ts';
import { type FeatureFlagRow, featureFlags } from './feature-flags.projection.ts';

interface GivenPart {
  id?: number | undefined;
  _destroy?: boolean | undefined;
}

type GivenStrategy = GivenPart & {
  name?: FlagStrategy['name'] | undefined;
  parameters?: Record<string, string> | undefined;
  user_list_id?: number | null | undefined;
  scopes?: (GivenPart & { environment_scope?: string | undefined })[] | undefined;
};

/** Some clients send the id 0 with what is new. */
const partOf = ({ id, _destroy }: GivenPart) => ({ id: id || null, isDeleted: _destroy ?? false });

const changeOf = (given: GivenStrategy): StrategyChange => ({
  ...partOf(given),
  name: given.name,
  parameters: given.parameters,
  userListId: given.user_list_id,
  scopes: (given.scopes ?? []).map((scope) => ({
    ...partOf(scope),
    environmentScope: scope.environment_scope,
  })),
});

export function featureFlagRoutes(ports: ServicePorts): Implementation[] {
  const { commands, ids, readStore } = ports;
  const view = featureFlagJson.renderer(ports);

  async function find(name: string, projectId: number): Promise<FeatureFlagRow> {
    const where = and(eq('projectId', projectId), eq('name', name));
    const [row] = await readStore.find(featureFlags, { where, limit: 1 });
    if (!row) throw new Rejection('record_not_found');
    return row;
  }

  async function answerOf(row: FeatureFlagRow): Promise<Answer> {
    const [flag] = await withLists(readStore, [row]);
    return json(view.one(flag!));
  }

  const handle = ({ project, metadata }: ApiRequest, command: FeatureFlagCommand) =>
    commands.handle(featureFlagDecider, featureFlagsStream(project.project.id), command, metadata);

  return [
    implement(listFeatureFlags, async ({ params, project, page }) => {
      const { documents, next } = await pageOf(readStore, featureFlags, {
        where: and(
          eq('projectId', project.project.id),
          ...(params.scope === undefined ? [] : [eq('active', params.scope === 'enabled')]),
        ),
        sort: [asc('name')],
        page,
      });
      return { kind: 'list', items: view.list(await withLists(readStore, documents)), next };
    }),

    implement(getFeatureFlag, async ({ params, project }) =>
      answerOf(await find(params.feature_flag_name, project.project.id)),
    ),

    implement(createFeatureFlag, async (request) => {
      const { name, description = null, active, strategies } = request.params;
      const projectId = request.project.project.id;
      const commandFor = (featureFlagId: number) => ({
        ...({ type: 'CreateFeatureFlag', featureFlagId, projectId, name, description, active } as const),
        strategies: strategies.map(changeOf),
      });
      // Validate before reserving an id, as if all lists were there.
      const { initialState } = featureFlagDecider;
      const named = strategies.flatMap(({ user_list_id: id }) => (id ? [id] : []));
      const lists = new Map(named.map((id) => [id, { iid: 0, name: '', userXids: '' }]));
      featureFlagDecider.decide(commandFor(0), { ...initialState, lists });
      await handle(request, commandFor(await ids.next('featureFlag')));
      return answerOf(await find(name, projectId));
    }),

    implement(updateFeatureFlag, async (request) => {
      const { feature_flag_name, name, description, active, strategies = [] } = request.params;
      const projectId = request.project.project.id;
      const { id: featureFlagId } = await find(feature_flag_name, projectId);
      await handle(request, {
        ...{ type: 'UpdateFeatureFlag', featureFlagId, projectId, name, description, active },
        strategies: strategies.map(changeOf),
      });
      const row = await readStore.get(featureFlags, featureFlagId);
      if (!row) throw new Rejection('record_not_found');
      return answerOf(row);
    }),

    implement(deleteFeatureFlag, async (request) => {
      const projectId = request.project.project.id;
      const row = await find(request.params.feature_flag_name, projectId);
      await handle(request, { type: 'DeleteFeatureFlag', featureFlagId: row.id, projectId });
      return answerOf(row);
    }),
  ];
}
