import {
  deleteFeature,
  listFeatureDefinitions,
  listFeatures,
  setFeature,
} from '@forgelog/contracts/admin/features/feature.api.ts';
import { featureDefinitions } from '@forgelog/contracts/admin/features/feature-definitions.ts';
import type { ParamsOf } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { FeatureActor } from '@forgelog/directory/feature-gates.ts';
import { directoryFeatures } from '@forgelog/directory/features.projection.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc } from '@forgelog/eventing/query.ts';
import { noContent, value } from '@forgelog/service-kit/answer.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { type FeatureCommand, featureDecider, featureStream } from './feature.decider.ts';
import { definitionJson, featureJson } from './feature.view.ts';

/** So many flags are listed; each is set by an administrator. */
const MOST = 10_000;
const NAME = /^[\w.:-]{1,255}$/;

export function featureRoutes(ports: ServicePorts): Implementation[] {
  const { commands, directory, readStore } = ports;

  async function actorsIn({ user, group, project }: ParamsOf<typeof setFeature>): Promise<FeatureActor[]> {
    const actors: FeatureActor[] = [];
    if (user) actors.push(`User:${idOf(await directory.userByName(user), user)}`);
    if (group) actors.push(`Group:${idOf(await directory.namespaceByPath(group), group)}`);
    if (project) actors.push(`Project:${idOf(await directory.projectByPath(project), project)}`);
    return actors;
  }

  async function commandOf(params: ParamsOf<typeof setFeature>): Promise<FeatureCommand> {
    const { name, value: given, key, feature_group } = params;
    if (typeof given === 'number') {
      if (given < 0 || given > 100)
        throw new Rejection('invalid_parameters', { problems: ['value is invalid'] });
      const of = key === 'percentage_of_actors' ? 'actors' : 'time';
      return { type: 'SetFeaturePercentage', name, of, percentage: given };
    }
    const groups = feature_group ? [feature_group] : [];
    return { type: 'SwitchFeature', name, on: given === 'true', groups, actors: await actorsIn(params) };
  }

  return [
    implement(listFeatures, async () => {
      const flags = await readStore.find(directoryFeatures, {
        ...{ where: and(), sort: [asc('name')], limit: MOST },
      });
      return value(flags.map(featureJson));
    }),

    implement(listFeatureDefinitions, async () => value(featureDefinitions.map(definitionJson))),

    implement(setFeature, async ({ params, metadata }) => {
      const { name } = params;
      if (!NAME.test(name)) throw new Rejection('invalid_parameters', { problems: ['name is invalid'] });
      const command = await commandOf(params);
      await commands.handle(featureDecider, featureStream(name), command, metadata);
      const gates = await readStore.get(directoryFeatures, name);
      if (!gates) throw new Rejection('not_found', { what: 'Feature' });
      return value(featureJson(gates), { status: 201 });
    }),

    implement(deleteFeature, async ({ params: { name }, metadata }) => {
      if (NAME.test(name))
        await commands.handle(featureDecider, featureStream(name), { type: 'DeleteFeature', name }, metadata);
      return noContent();
    }),
  ];
}

/** @throws 400 where there is nobody of that name */
function idOf(found: { id: number } | undefined, name: string): number {
  if (!found) throw new Rejection('bad_request', { reason: `${name} is not found` });
  return found.id;
}
