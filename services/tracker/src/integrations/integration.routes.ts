import { Rejection } from '@forgelog/contracts/errors.ts';
import { integrations as newer, services } from '@forgelog/contracts/tracker/integrations/integration.api.ts';
import {
  EVENT_FLAGS,
  type EventFlag,
  INTEGRATION_SLUGS,
  type IntegrationSlug,
  integrationKind,
} from '@forgelog/contracts/tracker/integrations/integration-kinds.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, eq } from '@forgelog/eventing/query.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import { listPage } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { mailSettings } from '../notifications/mail-settings.ts';
import { type IntegrationCommand, integrationDecider, integrationStream } from './integration.decider.ts';
import { integrationJson, singleIntegrationJson } from './integration.view.ts';
import { createIntegrationSender } from './integration-sender.ts';
import { integrations } from './integrations.projection.ts';

const NO_MAIL = 'this server sends no mail, because SMTP_URL is not set';

export function integrationRoutes(ports: ServicePorts): Implementation[] {
  const sender = createIntegrationSender(ports);
  return [...routesOf(ports, services, sender), ...routesOf(ports, newer, sender)];
}

function routesOf(
  ports: ServicePorts,
  endpoints: typeof services | typeof newer,
  sender: ReturnType<typeof createIntegrationSender>,
): Implementation[] {
  const { commands, ids, readStore } = ports;
  const view = integrationJson.renderer(ports);
  const singleView = singleIntegrationJson.renderer(ports);

  async function rowOf(projectId: number, slug: IntegrationSlug) {
    const where = and(eq('projectId', projectId), eq('slug', slug));
    return (await readStore.find(integrations, { where, limit: 1 }))[0];
  }

  async function answerOf(projectId: number, slug: IntegrationSlug) {
    const row = await rowOf(projectId, slug);
    if (!row) throw new Rejection('not_found', { what: 'Integration' });
    return json(singleView.one(row));
  }

  /** @throws 400 for addresses that nothing may be sent to */
  async function checkAddresses(addresses: Readonly<Record<string, string | undefined>>): Promise<void> {
    const problems: string[] = [];
    for (const [name, address] of Object.entries(addresses))
      if (address && !(await sender.mayReach(address)))
        problems.push(`${name} is not an address that may be reached`);
    if (problems.length > 0) throw new Rejection('invalid_parameters', { problems });
  }

  /** Those that are not what they were; an empty text takes one away. */
  async function changedSecrets(
    projectId: number,
    slug: IntegrationSlug,
    given: { webhook: string | undefined; password: string | undefined },
  ) {
    const row = await rowOf(projectId, slug);
    const changed = (secret: 'webhook' | 'password'): string | null | undefined => {
      const text = given[secret];
      if (text === undefined || (row && sender.secretOf(row, secret) === text)) return undefined;
      return text === '' ? null : sender.seal(projectId, slug, secret, text);
    };
    const [sealedWebhook, sealedPassword] = [changed('webhook'), changed('password')];
    return {
      ...(sealedWebhook !== undefined && { sealedWebhook }),
      ...(sealedPassword !== undefined && { sealedPassword }),
    };
  }

  return [
    implement(endpoints.list, async ({ project, page }) =>
      listPage(readStore, integrations, {
        where: and(eq('projectId', project.project.id), eq('disabled', false)),
        ...{ sort: [asc('id')], page, view },
      }),
    ),

    implement(endpoints.get, async ({ params, project }) =>
      answerOf(project.project.id, slugOf(params.slug)),
    ),

    implement(endpoints.set, async ({ params, project, metadata }) => {
      const { id: _, slug: name, webhook, password, ...given } = params;
      const { url, api_url, jenkins_url } = given;
      const slug = slugOf(name);
      if (integrationKind(slug).courier === 'mail' && mailSettings(ports.configuration) === undefined)
        throw new Rejection('invalid_parameters', { problems: [`${slug} is not possible: ${NO_MAIL}`] });
      const projectId = project.project.id;
      await checkAddresses({ webhook, url, api_url, jenkins_url });
      const secrets = await changedSecrets(projectId, slug, { webhook, password });
      const told = { ...parted(given), secrets, tellsPassword: password !== undefined };
      const commandFor = (integrationId: number): IntegrationCommand => ({
        ...{ type: 'SetIntegration', projectId, slug, integrationId, ...told },
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
