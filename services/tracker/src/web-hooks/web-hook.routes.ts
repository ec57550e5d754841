import { Rejection } from '@forgelog/contracts/errors.ts';
import { groupHooks, projectHooks, systemHooks } from '@forgelog/contracts/tracker/web-hooks/web-hook.api.ts';
import { TRIGGERS, type Trigger } from '@forgelog/contracts/tracker/web-hooks/web-hook-triggers.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { asc, eq } from '@forgelog/eventing/query.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { foundHook, MOST_HOOKS } from './known-hooks.ts';
import { type HookPlace, type WebHookCommand, webHookDecider, webHookStream } from './web-hook.decider.ts';
import { groupHookJson, projectHookJson, systemHookJson } from './web-hook.view.ts';
import { deliveryRoutes, type HooksOfKind } from './web-hook-delivery.routes.ts';
import { createWebHookSender, type WebHookSender } from './web-hook-sender.ts';
import { hookPlace, type WebHookRow, webHooks } from './web-hooks.projection.ts';

type Flags = Partial<Record<Trigger, boolean | undefined>>;

export function webHookRoutes(ports: ServicePorts): Implementation[] {
  const sender = createWebHookSender(ports);
  const kinds: HooksOfKind[] = [
    {
      endpoints: projectHooks,
      view: projectHookJson.renderer(ports),
      placeOf: ({ project }) => ({ projectId: project.project.id, groupId: null }),
      byDefault: { push_events: true },
    },
    {
      endpoints: alike(groupHooks),
      view: alike(groupHookJson.renderer(ports)),
      placeOf: ({ group }) => ({ projectId: null, groupId: group.group.id }),
      byDefault: { push_events: true },
    },
    {
      endpoints: alike(systemHooks),
      view: alike(systemHookJson.renderer(ports)),
      placeOf: () => ({ projectId: null, groupId: null }),
      byDefault: { repository_update_events: true, system_events: true },
    },
  ];
  return kinds.flatMap((kind) => [...routesOf(ports, kind, sender), ...deliveryRoutes(ports, kind, sender)]);
}

/** Endpoints and views differ by a few members, which only their contracts know. */
const alike = <Like>(other: unknown): Like => other as Like;

function routesOf(
  ports: ServicePorts,
  { endpoints, view, placeOf, byDefault }: HooksOfKind,
  sender: WebHookSender,
): Implementation[] {
  const { commands, ids, readStore } = ports;

  const opened = (row: WebHookRow) => ({ ...row, url: sender.urlOf(row) });

  const answerOf = async (webHookId: number, request: ApiRequest) =>
    json(view.one(opened(await foundHook(readStore, webHookId, placeOf(request)))));

  const handle = ({ metadata }: { metadata: EventMetadata }, command: WebHookCommand) =>
    commands.handle(webHookDecider, webHookStream(command.webHookId), command, metadata, {
      mustBeNew: command.type === 'CreateWebHook',
    });

  /** @throws 422 for an address that is none, or that nothing may be sent to */
  async function requireUrl(text: string, place: HookPlace): Promise<void> {
    const url = HIDDEN.test(text) ? null : URL.parse(text);
    const good = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
    if (!good || !(await sender.mayReach(url, hookPlace(place))))
      throw new Rejection('hook_refused', { message: 'Invalid url given' });
  }

  return [
    implement(endpoints.list, async (request) => {
      const where = eq('place', hookPlace(placeOf(request)));
      const { documents, next } = await pageOf(readStore, webHooks, {
        ...{ where, sort: [asc('id')], page: request.page },
      });
      return { kind: 'list', items: view.list(documents.map(opened)), next };
    }),

    implement(endpoints.get, (request) => answerOf(request.params.hook_id, request)),

    implement(endpoints.create, async (request) => {
      const { params } = request;
      const place = placeOf(request);
      await requireUrl(params.url, place);
      requireToken(params.token);
      const commandFor = (webHookId: number): WebHookCommand => ({
        ...{ type: 'CreateWebHook' as const, webHookId, ...place },
        triggers: triggersIn({ ...byDefault, ...given(params as Flags) }),
        branchFilter: params.push_events_branch_filter ?? null,
        verifyCertificate: params.enable_ssl_verification ?? true,
        ...{ sealedUrl: '', sealedToken: null },
        ...sender.seal(webHookId, { url: params.url, token: params.token ?? null }),
      });
      // Validate before reserving an id.
      webHookDecider.decide(commandFor(0), webHookDecider.initialState);
      const where = eq('place', hookPlace(place));
      if ((await readStore.find(webHooks, { where, limit: MOST_HOOKS })).length >= MOST_HOOKS)
        throw new Rejection('hook_refused', { message: `Maximum number of hooks (${MOST_HOOKS}) exceeded` });
      const webHookId = await ids.next('webHook');
      await handle(request, commandFor(webHookId));
      return answerOf(webHookId, request);
    }),

    implement(endpoints.update, async (request) => {
      const { params } = request;
      const { hook_id: webHookId, url, token } = params;
      const place = placeOf(request);
      await foundHook(readStore, webHookId, place);
      if (url !== undefined) await requireUrl(url, place);
      requireToken(token);
      await handle(request, {
        ...{ type: 'UpdateWebHook', webHookId, ...place },
        flags: given(params as Flags),
        branchFilter: params.push_events_branch_filter,
        verifyCertificate: params.enable_ssl_verification,
        secrets: sender.seal(webHookId, {
          ...(url !== undefined && { url }),
          ...(token !== undefined && { token }),
        }),
      });
      return answerOf(webHookId, request);
    }),

    implement(endpoints.delete, async (request) => {
      await handle(request, {
        ...{ type: 'DeleteWebHook', webHookId: request.params.hook_id, ...placeOf(request) },
      });
      return noContent();
    }),
  ];
}

/** Controls, invisible characters, spaces and what some read as a slash. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}\\]/u;
/** What a header may hold. */
const TOKEN = /^[\x20-\x7e\xa0-\xff]*$/;

function requireToken(token: string | null | undefined): void {
  if (token != null && !TOKEN.test(token))
    throw new Rejection('validation_failed', {
      fields: { token: ['has characters that no header can have'] },
    });
}

const given = (params: Flags): Partial<Record<Trigger, boolean>> =>
  Object.fromEntries(
    TRIGGERS.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]]])),
  ) as Partial<Record<Trigger, boolean>>;

const triggersIn = (flags: Partial<Record<Trigger, boolean>>): Trigger[] =>
  TRIGGERS.filter((name) => flags[name] === true);
