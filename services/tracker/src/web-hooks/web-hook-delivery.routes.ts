import { Rejection } from '@forgelog/contracts/errors.ts';
import type { projectHooks } from '@forgelog/contracts/tracker/web-hooks/web-hook.api.ts';
import type { Trigger } from '@forgelog/contracts/tracker/web-hooks/web-hook-triggers.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import {
  BEGINNING,
  type EventMetadata,
  type Position,
  type RecordedEvent,
} from '@forgelog/eventing/event.ts';
import { and, desc, eq } from '@forgelog/eventing/query.ts';
import { accepted, value } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { foundHook } from './known-hooks.ts';
import { createHookMessages } from './messages/hook-messages.ts';
import { sampleEvent } from './sample-event.ts';
import { type HookPlace, type WebHookCommand, webHookDecider, webHookStream } from './web-hook.decider.ts';
import { hookDeliveryJson, type projectHookJson, type ShownDelivery } from './web-hook.view.ts';
import {
  type WebHookDelivery,
  webHookDeliveryDecider,
  webHookDeliveryStream,
} from './web-hook-delivery.decider.ts';
import type { HookMessage, SentMessage, WebHookSender } from './web-hook-sender.ts';
import { type WebHookDeliveryRow, type WebHookRow, webHookDeliveries } from './web-hooks.projection.ts';

type HookEndpoints = typeof projectHooks;

/** What differs between hooks of projects, of groups and of the instance. */
export interface HooksOfKind {
  endpoints: HookEndpoints;
  view: ReturnType<typeof projectHookJson.renderer>;
  placeOf: (request: ApiRequest) => HookPlace;
  /** What a new hook is told of unless its flags say otherwise. */
  byDefault: Partial<Record<Trigger, boolean>>;
}

/** What a hook was told of, and telling it now: to try it, again, or of all from a position on. */
export function deliveryRoutes(
  ports: ServicePorts,
  { endpoints, placeOf }: HooksOfKind,
  sender: WebHookSender,
): Implementation[] {
  const { commands, history, ids, readStore } = ports;
  const messages = createHookMessages(ports);
  const deliveryView = hookDeliveryJson.renderer(ports);

  const handle = ({ metadata }: { metadata: EventMetadata }, command: WebHookCommand) =>
    commands.handle(webHookDecider, webHookStream(command.webHookId), command, metadata);

  async function sendNow(
    row: WebHookRow,
    { event, message, part, cause, metadata }: SentNow,
  ): Promise<SentMessage> {
    const signal = new AbortController().signal;
    const id = `${row.id}-${event.id}-${part}`;
    const sent = await sender.send(row, id, message, signal);
    const webHookDeliveryId = await ids.next('webHookDelivery');
    const { retryable: _, ...outcome } = sent;
    const delivery: WebHookDelivery = {
      ...{ webHookDeliveryId, webHookId: row.id, projectId: row.projectId, groupId: row.groupId },
      ...{ trigger: message.trigger, cause, part, toldUpTo: null, attempts: 1, ...outcome },
      ...(cause === 'test'
        ? { eventId: null, eventSubject: null, eventRevision: null }
        : { eventId: event.id, eventSubject: event.stream, eventRevision: event.revision }),
    };
    const command = { type: 'EndWebHookDelivery' as const, ...delivery };
    const stream = webHookDeliveryStream(webHookDeliveryId);
    await commands.handle(webHookDeliveryDecider, stream, command, metadata, { mustBeNew: true });
    return sent;
  }

  const eventOf = async ({ eventSubject, eventRevision }: WebHookDeliveryRow) =>
    eventSubject === null || eventRevision === null ? undefined : history.at(eventSubject, eventRevision);

  async function messageOf(delivery: WebHookDeliveryRow) {
    const event = await eventOf(delivery);
    const message = event && (await messages.of(event))[delivery.part];
    return event && message && { event, message };
  }

  async function deliveryOf(row: WebHookRow, id: number): Promise<WebHookDeliveryRow> {
    const where = and(eq('webHookId', row.id), eq('id', id));
    const [delivery] = await readStore.find(webHookDeliveries, { where, limit: 1 });
    if (!delivery) throw new Rejection('record_not_found');
    return delivery;
  }

  async function shown(row: WebHookRow, delivery: WebHookDeliveryRow): Promise<ShownDelivery> {
    const told = await messageOf(delivery);
    const { id, createdAt, milliseconds, attempts, delivered, eventId } = delivery;
    return {
      ...{ id, url: sender.urlOf(row), createdAt, milliseconds, attempts, delivered, eventId },
      trigger: delivery.trigger.replace(/_events$/, '_hooks'),
      requestHeaders: told
        ? sender.headersOf(row, `${row.id}-${eventId}-${delivery.part}`, told.message)
        : {},
      requestData: told ? (JSON.parse(told.message.body) as unknown) : null,
      responseStatus: statusOf(delivery),
      cause: delivery.cause as ShownDelivery['cause'],
    };
  }

  /** @throws 400, 409 and 410 for what is no position of this log, 404 for no delivery */
  async function positionOf(
    row: WebHookRow,
    { after, after_event_id: id }: { after?: string | undefined; after_event_id?: number | undefined },
  ): Promise<Position> {
    if (id !== undefined) {
      const event = await eventOf(await deliveryOf(row, id));
      if (!event) throw new Rejection('unprocessable', { message: 'The delivery tells of no event' });
      return event.position;
    }
    if (after === undefined || after === '') return BEGINNING;
    const read = await history.publishedPosition(after);
    if (read.kind === 'lost') throw new Rejection('position_lost', { after: '' });
    if (read.kind !== 'held' || read.position > (await history.head()))
      throw new Rejection('invalid_parameters', { problems: ['after is no position of this log'] });
    return read.position;
  }

  return [
    implement(endpoints.deliveries, async (request) => {
      const { hook_id, delivered } = request.params;
      const row = await foundHook(readStore, hook_id, placeOf(request));
      const ofHook = eq('webHookId', row.id);
      const { documents, next } = await pageOf(readStore, webHookDeliveries, {
        where: delivered === undefined ? ofHook : and(ofHook, eq('delivered', delivered)),
        sort: [desc('id')],
        page: request.page,
      });
      const items: ShownDelivery[] = [];
      for (const delivery of documents) items.push(await shown(row, delivery));
      return { kind: 'list', items: deliveryView.list(items), next };
    }),

    implement(endpoints.resend, async (request) => {
      const row = await foundHook(readStore, request.params.hook_id, placeOf(request));
      const delivery = await deliveryOf(row, request.params.hook_event_id);
      const told = await messageOf(delivery);
      if (!told)
        throw new Rejection('unprocessable', { message: 'What the delivery told of is no longer there' });
      const { part } = delivery;
      const { metadata } = request;
      const sent = await sendNow(row, { ...told, part, cause: 'resend', metadata });
      return value({ response_status: statusOf(sent) }, { status: 201 });
    }),

    implement(endpoints.test, async (request) => {
      const { hook_id, trigger } = request.params;
      const row = await foundHook(readStore, hook_id, placeOf(request));
      const { metadata } = request;
      const event = await sampleEvent(ports, placeOf(request), trigger as Trigger, metadata);
      const told = event ? await messages.of(event) : [];
      const part = told.findIndex((message) => message.trigger === trigger);
      const message = told[part];
      if (!event || !message)
        throw new Rejection('unprocessable', {
          message: 'There is nothing of this kind yet to try the hook with',
        });
      const sent = await sendNow(row, { event, message, part, cause: 'test', metadata });
      if (!sent.delivered)
        throw new Rejection('unprocessable', { message: `The receiver did not take it: ${statusOf(sent)}` });
      await handle(request, { type: 'EnableWebHook', webHookId: row.id, ...placeOf(request) });
      return value({ message: '201 Created' }, { status: 201 });
    }),

    implement(endpoints.replay, async (request) => {
      const row = await foundHook(readStore, request.params.hook_id, placeOf(request));
      const position = await positionOf(row, request.params);
      await handle(request, { type: 'RewindWebHook', webHookId: row.id, ...placeOf(request), position });
      return accepted();
    }),
  ];
}

interface SentNow {
  event: RecordedEvent;
  message: HookMessage;
  part: number;
  cause: 'resend' | 'test';
  metadata: EventMetadata;
}

const NO_ANSWER: Readonly<Record<NonNullable<SentMessage['error']>, string>> = {
  address: 'refused: a private address',
  name: 'its name is not known',
  time: 'no answer in time',
  connection: 'no answer',
  certificate: 'its certificate is not valid',
};

const statusOf = ({ status, error }: { status: number | null; error: string | null }): string =>
  status !== null ? String(status) : NO_ANSWER[(error ?? 'connection') as NonNullable<SentMessage['error']>];
