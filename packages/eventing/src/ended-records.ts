import { endsUnannounced } from '@forgelog/contracts/lifetime.ts';
import type { RecordedEvent } from './event.ts';
import type { ProjectionDocuments } from './projection.ts';
import { and, eq, oneOf } from './query.ts';
import { matches } from './query-evaluation.ts';
import { type AnyCollection, defineCollection } from './read-store.ts';

export const endedRecordsCollection = (projection: string) =>
  defineCollection({
    name: `${projection.replaceAll('-', '_')}_ended`,
    key: 'key',
    fields: {
      key: 'text',
      eventId: 'text',
      kind: 'text',
      count: 'integer',
    },
    indexes: [['eventId']],
  });

export type EndedRecords = ReturnType<typeof endedRecordsCollection>;

export const isEndedRecords = ({ name }: AnyCollection): boolean => name.endsWith('_ended');

export const unannouncedEndsOf = ({ holds }: AnyCollection): string[] =>
  holds?.lifetime.ends
    .filter((ending) => endsUnannounced(holds.lifetime, ending))
    .map(({ event }) => event) ?? [];

export async function countEnded(
  event: RecordedEvent,
  { holds }: AnyCollection,
  deleted: readonly object[],
  counts: EndedRecords,
  documents: ProjectionDocuments,
): Promise<void> {
  const { lifetime, where } = holds!;
  const { length: count } = where ? deleted.filter((one) => matches(where, one as never)) : deleted;
  if (count === 0) return;
  const key = `${event.id} ${lifetime.kind}`;
  documents.put(counts, { key, eventId: event.id, kind: lifetime.kind, count });
}

export async function forgetTold(
  event: RecordedEvent,
  counts: EndedRecords,
  documents: ProjectionDocuments,
): Promise<void> {
  const kinds = Object.keys((event.data as { counts: Record<string, number> }).counts);
  await documents.deleteAll(counts, and(eq('eventId', event.metadata.causationId), oneOf('kind', kinds)));
}
