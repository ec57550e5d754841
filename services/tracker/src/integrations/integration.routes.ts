import { Rejection } from '@forgelog/contracts/errors.ts';
import { integrations as newer, services } from '@forgelog/contracts/tracker/integrations/integration.api.ts';
import {
  EVENT_FLAGS,
  type EventFlag,
  INTEGRATION_SLUGS,
  type IntegrationSlug,
} from '@forgelog/contracts/tracker/integrations/integration-kinds.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, eq } from '@forgelog/eventing/query.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import { listPage } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { type IntegrationCommand, integrationDecider, integrationStream } from './integration.decider.ts';
import { integrationJson, singleIntegrationJson } from './integration.view.ts';
import { integrations } from './integrations.projection.ts';

export const integrationRoutes = (ports: ServicePorts): Implementation[] => [
  ...routesOf(ports, services),
  ...routesOf(ports, newer),
];

function routesOf(ports: ServicePorts, endpoints: typeof services | typeof newer): Implementation[] {
  const { commands, ids, readStore } = ports;
  const view = integrationJson.renderer(ports);
  const singleView = singleIntegrationJson.renderer(ports);

  async function answerOf(projectId: number, slug: IntegrationSlug) {
    const where = and(eq('projectId', projectId), eq('slug', slug));
    const [row] = await readStore.find(integrations, { where, limit: 1 });
    if (!row) throw new Rejection('not_found', { what: 'Integration' });
    return json(singleView.one(row));
  }

  return [
    implement(endpoints.list, async ({ project, page }) =>
      listPage(readStore, integrations, {
        ...{ where: eq('projectId', project.project.id), sort: [asc('id')], page, view },
      }),
    ),

    implement(endpoints.get, async ({ params, project }) =>
      answerOf(project.project.id, slugOf(params.slug)),
    ),

    implement(endpoints.set, async ({ params, project, metadata }) => {
      const { id: _, slug: name, ...given } = params;
      const slug = slugOf(name);
      const projectId = project.project.id;
      const commandFor = (integrationId: number): IntegrationCommand => ({
        ...{ type: 'SetIntegration', projectId, slug, integrationId, ...parted(given) },
      });
      const stream = integrationStream(projectId, slug);
      // Validate before reserving an id.
      const { state } = await commands.load(integrationDecider, stream);
      integrationDecider.decide(commandFor(0), state);
      const id = state === null ? await ids.next('integration') : state.integrationId;
      await commands.handle(integrationDecider, stream, commandFor(id), metadata);
      return answerOf(projectId, slug);
    }),

    implement(endpoints.delete, async ({ params, project, metadata }) => {
      const projectId = project.project.id;
      const slug = slugOf(params.slug);
      const command: IntegrationCommand = { type: 'DeleteIntegration', projectId, slug };
      await commands.handle(integrationDecider, integrationStream(projectId, slug), command, metadata);
      return noContent();
    }),
  ];
}

/** @throws 404 for integrations that this server has not */
function slugOf(text: string): IntegrationSlug {
  const slug = INTEGRATION_SLUGS.find((known) => known === text);
  if (slug === undefined) throw new Rejection('not_found', { what: 'Integration' });
  return slug;
}

const isFlag = (name: string): name is EventFlag => EVENT_FLAGS.some((flag) => flag === name);

/** The parameters that were given, as flags and properties. */
function parted(given: Readonly<Record<string, string | boolean | undefined>>) {
  const flags: Partial<Record<EventFlag, boolean>> = {};
  const properties: Record<string, string | boolean> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (isFlag(name)) flags[name] = value === true;
    else properties[name] = value;
  }
  return { flags, properties };
}
