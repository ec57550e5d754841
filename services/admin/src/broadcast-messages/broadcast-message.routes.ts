import {
  createBroadcastMessage,
  deleteBroadcastMessage,
  getBroadcastMessage,
  listBroadcastMessages,
  updateBroadcastMessage,
} from '@forgelog/contracts/admin/broadcast-messages/broadcast-message.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, desc } from '@forgelog/eventing/query.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { broadcastMessageDecider, broadcastMessageStream } from './broadcast-message.decider.ts';
import { broadcastMessageJson } from './broadcast-message.view.ts';
import { broadcastMessages } from './broadcast-messages.projection.ts';

const HOUR_MS = 3_600_000;
const COLORS = { color: '#E75E40', font: '#FFFFFF' };

export function broadcastMessageRoutes(ports: ServicePorts): Implementation[] {
  const { clock, commands, ids, readStore } = ports;
  const view = broadcastMessageJson.renderer(ports);
  const request = () => ({ now: clock().toISOString() });

  async function answerOf(id: number) {
    const row = await readStore.get(broadcastMessages, id);
    if (!row) throw new Rejection('record_not_found');
    return json(view.one(row, request()));
  }

  return [
    implement(listBroadcastMessages, async ({ page }) => {
      const { documents, next } = await pageOf(readStore, broadcastMessages, {
        ...{ where: and(), sort: [desc('id')], page },
      });
      return { kind: 'list', items: view.list(documents, request()), next };
    }),

    implement(getBroadcastMessage, async ({ params }) => answerOf(params.id)),

    implement(createBroadcastMessage, async ({ params, metadata }) => {
      const now = clock().getTime();
      const draft = {
        type: 'CreateBroadcastMessage' as const,
        message: params.message,
        startsAt: params.starts_at ?? new Date(now).toISOString(),
        endsAt: params.ends_at ?? new Date(now + HOUR_MS).toISOString(),
        color: params.color ?? COLORS.color,
        font: params.font ?? COLORS.font,
        targetPath: params.target_path ?? null,
        broadcastType: params.broadcast_type ?? ('banner' as const),
        dismissable: params.dismissable ?? false,
      };
      // Validate before reserving an id.
      broadcastMessageDecider.decide(
        { ...draft, broadcastMessageId: 0 },
        broadcastMessageDecider.initialState,
      );
      const broadcastMessageId = await ids.next('broadcastMessage');
      const stream = broadcastMessageStream(broadcastMessageId);
      await commands.handle(broadcastMessageDecider, stream, { ...draft, broadcastMessageId }, metadata, {
        mustBeNew: true,
      });
      return answerOf(broadcastMessageId);
    }),

    implement(updateBroadcastMessage, async ({ params, metadata }) => {
      const { id: broadcastMessageId, message, color, font, dismissable } = params;
      const changes = {
        ...{ message, color, font, dismissable },
        startsAt: params.starts_at,
        endsAt: params.ends_at,
        targetPath: params.target_path,
        broadcastType: params.broadcast_type,
      };
      const command = { type: 'UpdateBroadcastMessage' as const, broadcastMessageId, changes };
      const stream = broadcastMessageStream(broadcastMessageId);
      await commands.handle(broadcastMessageDecider, stream, command, metadata);
      return answerOf(broadcastMessageId);
    }),

    implement(deleteBroadcastMessage, async ({ params: { id: broadcastMessageId }, metadata }) => {
      const command = { type: 'DeleteBroadcastMessage' as const, broadcastMessageId };
      const stream = broadcastMessageStream(broadcastMessageId);
      await commands.handle(broadcastMessageDecider, stream, command, metadata);
      return noContent();
    }),
  ];
}
