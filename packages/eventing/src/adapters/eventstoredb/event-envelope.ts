import {
  type EventData,
  type JSONType,
  jsonEvent,
  type RecordedEvent as ServerEvent,
} from '@eventstore/db-client';
import { z } from 'zod';
import type { EventMetadata, NewEvent, RecordedEvent } from '../../event.ts';
import { CorruptLogError } from '../../event-store.ts';
import { toPosition } from './log-position.ts';

/** The part of the envelope for which the server has no field of its own. */
const envelope = z.strictObject({
  schemaVersion: z.int().min(1),
  time: z.string(),
  metadata: z.custom<EventMetadata>((value) => typeof value === 'object' && value !== null),
});

export function toServer({ id, type, data, schemaVersion, time, metadata }: NewEvent): EventData {
  const written: z.input<typeof envelope> = { schemaVersion, time, metadata };
  return jsonEvent({ id, type, data: data as JSONType, metadata: written as unknown as JSONType });
}

export function fromServer(event: ServerEvent): RecordedEvent {
  const parsed = envelope.safeParse(event.metadata);
  if (!event.isJson || !parsed.success)
    throw new CorruptLogError(
      `event ${event.revision} of stream ${event.streamId} was not written by this system: the log must be its own`,
    );
  return {
    id: event.id,
    type: event.type,
    schemaVersion: parsed.data.schemaVersion,
    time: parsed.data.time,
    data: event.data,
    metadata: parsed.data.metadata,
    stream: event.streamId,
    revision: Number(event.revision),
    position: toPosition(event.position),
  };
}

/** Begins the names of streams beside the log; those of the server begin with `$`. */
export const BESIDE = '~';
export const OF_THE_LOG = `^[^$${BESIDE}]`;
const ofTheLog = new RegExp(OF_THE_LOG);

export const isInLog = (stream: string): boolean => ofTheLog.test(stream);
