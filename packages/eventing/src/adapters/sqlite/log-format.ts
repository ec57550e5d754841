import { crc32 } from 'node:zlib';
import { BEGINNING, type Position, type RecordedEvent } from '../../event.ts';
import { CorruptLogError } from '../../event-store.ts';

/* Positions have no gaps. `checksum` covers a row: file systems may return damaged pages without an error. */

export const SCHEMA = `
  CREATE TABLE IF NOT EXISTS events (
    position INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    revision INTEGER NOT NULL,
    id TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL,
    schema_version INTEGER NOT NULL,
    time TEXT NOT NULL,
    data TEXT NOT NULL,
    metadata TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    UNIQUE (stream, revision)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS events_of_project ON events (data ->> '$.projectId')
    WHERE data ->> '$.projectId' IS NOT NULL`;

export interface RawEvent {
  id: string;
  type: string;
  schemaVersion: number;
  time: string;
  data: string;
  metadata: string;
}

export type Row = [
  position: number,
  stream: string,
  revision: number,
  id: string,
  type: string,
  schemaVersion: number,
  time: string,
  data: string,
  metadata: string,
  checksum: number,
];

export const COLUMNS = 'position, stream, revision, id, type, schema_version, time, data, metadata, checksum';

export function toRow(position: number, stream: string, revision: number, event: RawEvent): Row {
  const { id, type, schemaVersion, time, data, metadata } = event;
  const checksum = crc32(content(position, stream, revision, id, type, schemaVersion, time, data, metadata));
  return [position, stream, revision, id, type, schemaVersion, time, data, metadata, checksum];
}

export function checkRow(row: Row): Row {
  const [position, stream, revision, id, type, schemaVersion, time, data, metadata, checksum] = row;
  if (crc32(content(position, stream, revision, id, type, schemaVersion, time, data, metadata)) !== checksum)
    throw new CorruptLogError(`the event at position ${position} (${stream}/${revision}) is damaged`);
  return row;
}

export function fromRow(row: Row): RecordedEvent {
  const [position, stream, revision, id, type, schemaVersion, time, data, metadata] = checkRow(row);
  return toEvent(position, stream, revision, { id, type, schemaVersion, time, data, metadata });
}

/** @param data the parsed `raw.data`, if available */
export function toEvent(
  position: number,
  stream: string,
  revision: number,
  raw: RawEvent,
  data: unknown = JSON.parse(raw.data),
): RecordedEvent {
  return {
    id: raw.id,
    type: raw.type,
    schemaVersion: raw.schemaVersion,
    time: raw.time,
    data,
    metadata: JSON.parse(raw.metadata),
    stream,
    revision,
    position: toPosition(position),
  };
}

const content = (...fields: (string | number)[]): string => fields.join('\n');

export const toPosition = (position: number): Position =>
  position === 0 ? BEGINNING : String(position).padStart(16, '0');

export const isPosition = (text: string): boolean => /^0\d{15}$/.test(text);

export const fromPosition = (position: Position): number => (position === BEGINNING ? 0 : Number(position));
