import { endsUnannounced } from '@forgelog/contracts/lifetime.ts';
import type { RecordedEvent } from './event.ts';
import type { ProjectionDocuments } from './projection.ts';
import { and, eq, oneOf } from './query.ts';
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

export function countEnded(
  event: RecordedEvent,
  { holds }: AnyCollection,
  count: number,
  counts: EndedRecords,
  documents: ProjectionDocuments,
): void {
  if (count === 0) return;
  const { kind } = holds!.lifetime;
  documents.put(counts, { key: `${event.id} ${kind}`, eventId: event.id, kind, count });
}

export async function forgetTold(
  event: RecordedEvent,
  counts: EndedRecords,
  documents: ProjectionDocuments,
): Promise<void> {
  const kinds = Object.keys((event.data as { counts: Record<string, number> }).counts);
  await documents.deleteAll(counts, and(eq('eventId', event.metadata.causationId), oneOf('kind', kinds)));
}
