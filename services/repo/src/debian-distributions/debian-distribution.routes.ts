import type { ParamsOf } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  groupDebianDistributions,
  projectDebianDistributions,
} from '@forgelog/contracts/repo/debian-distributions/debian-distribution.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, eq } from '@forgelog/eventing/query.ts';
import { accepted, json } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { listPage } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { debianPlaces } from './debian-distribution.access.ts';
import {
  type DistributionCommand,
  type DistributionPlace,
  debianDistributionDecider,
  distributionsStream,
} from './debian-distribution.decider.ts';
import { inPlace, requireDistribution } from './debian-distribution.query.ts';
import { debianDistributionJson } from './debian-distribution.view.ts';
import { debianDistributions } from './debian-distributions.projection.ts';

export function debianDistributionRoutes(ports: ServicePorts): Implementation[] {
  const places = debianPlaces(ports.directory);
  return [
    ...routesOf(ports, projectDebianDistributions, places.project),
    ...routesOf(ports, groupDebianDistributions, places.group),
  ];
}

function routesOf(
  ports: ServicePorts,
  endpoints: typeof projectDebianDistributions | typeof groupDebianDistributions,
  placeOf: (request: ApiRequest) => Promise<DistributionPlace>,
): Implementation[] {
  const { commands, ids, readStore } = ports;
  const view = debianDistributionJson.renderer(ports);

  const handle = (command: DistributionCommand, { metadata }: ApiRequest) =>
    commands.handle(debianDistributionDecider, distributionsStream(command), command, metadata);

  async function answerOf(id: number, status = 200) {
    const row = await readStore.get(debianDistributions, id);
    if (!row) throw new Rejection('not_found', { what: 'Debian Distribution' });
    return json(view.one(row), { status });
  }

  return [
    implement(endpoints.list, async (request) => {
      const { codename, suite } = request.params;
      const wanted = [
        ...(codename === undefined ? [] : [eq('codename', codename)]),
        ...(suite === undefined ? [] : [eq('suite', suite)]),
      ];
      const where = and(inPlace(await placeOf(request)), ...wanted);
      return listPage(readStore, debianDistributions, {
        ...{ where, sort: [asc('id')], page: request.page, view },
      });
    }),

    implement(endpoints.get, async (request) =>
      json(view.one(await requireDistribution(readStore, await placeOf(request), request.params.codename))),
    ),

    implement(endpoints.create, async (request) => {
      const place = await placeOf(request);
      const { codename } = request.params;
      const commandFor = (debianDistributionId: number) => ({
        type: 'CreateDebianDistribution' as const,
        ...{ debianDistributionId, ...place, codename, attributes: attributesOf(request.params) },
      });
      // Validate before reserving an id.
      const { state } = await commands.load(debianDistributionDecider, distributionsStream(place));
      debianDistributionDecider.decide(commandFor(0), state);
      const id = await ids.next('debianDistribution');
      await handle(commandFor(id), request);
      return answerOf(id, 201);
    }),

    implement(endpoints.update, async (request) => {
      const place = await placeOf(request);
      const { id } = await requireDistribution(readStore, place, request.params.codename);
      const changes = attributesOf(request.params);
      const ids = { debianDistributionId: id, ...place };
      await handle({ type: 'UpdateDebianDistribution', ...ids, changes }, request);
      return answerOf(id);
    }),

    implement(endpoints.delete, async (request) => {
      const place = await placeOf(request);
      const { id: debianDistributionId } = await requireDistribution(
        readStore,
        place,
        request.params.codename,
      );
      await handle({ type: 'DeleteDebianDistribution', debianDistributionId, ...place }, request);
      return accepted();
    }),
  ];
}

type Given = Omit<ParamsOf<typeof projectDebianDistributions.update>, 'id' | 'codename'>;

const attributesOf = (given: Given) => ({
  suite: given.suite,
  origin: given.origin,
  label: given.label,
  version: given.version,
  description: given.description,
  validTimeDurationSeconds: given.valid_time_duration_seconds,
  components: given.components,
  architectures: given.architectures,
});
