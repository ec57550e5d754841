import { topicOf } from '@forgelog/contracts/event.ts';
import type { CloudEvent } from '@forgelog/eventing/cloud-event.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import type { EventStore } from '@forgelog/eventing/event-store.ts';
import { readLogIdentity } from '@forgelog/eventing/log-identity.ts';
import { type ConsumedMessage, consumeUntil } from '@forgelog/eventing/testing/kafka-consumer.ts';
import { expect } from 'vitest';

/** Those of a log's events that leave. */
export const leaving = (events: readonly RecordedEvent[]): RecordedEvent[] =>
  events.filter(({ type }) => type !== 'IdsReserved');

/** The positions of events of a log, as they are published. */
export async function publishedPositions(
  store: EventStore,
  events: readonly RecordedEvent[],
): Promise<string[]> {
  const identity = await readLogIdentity(store);
  return events.map(({ position }) => identity!.publish(position));
}

/** Everything that came of a log from these services, which have topics by now and may share them with others. */
export async function consumed(
  log: readonly RecordedEvent[],
  services: readonly string[],
): Promise<ConsumedMessage[]> {
  const missing = new Set(log.map(({ id }) => id));
  const own = new Set(missing);
  const idOf = ({ value }: ConsumedMessage) => (JSON.parse(value) as CloudEvent).id;
  const messages = await consumeUntil(
    services.map(topicOf),
    (message) => {
      missing.delete(idOf(message));
      return missing.size === 0;
    },
    { what: `all of ${own.size} events` },
  );
  return messages.filter((message) => own.has(idOf(message)));
}

/** Streams whose hash is published with the instance's key. */
const HASHED = /^(?:email-|projectName-\d+\/)[0-9a-f]{64}$/;

/** Each event of each stream once, in the order of revisions, by id or by the rule of docs/feed.md. */
export function expectWhole(messages: ConsumedMessage[], log: readonly RecordedEvent[]): CloudEvent[] {
  const last = new Map<string, string>();
  const byPosition = messages.filter(({ topic, partition, headers: { position } }) => {
    const place = `${topic}/${partition}`;
    if (position <= (last.get(place) ?? '')) return false;
    last.set(place, position);
    return true;
  });
  const events = byPosition.map(({ value }) => JSON.parse(value) as CloudEvent);
  const ids = new Set(messages.map(({ value }) => (JSON.parse(value) as CloudEvent).id));
  expect(events.map(({ id }) => id).toSorted()).toEqual([...ids].toSorted());
  expect(events).toHaveLength(log.length);
  const streams = Map.groupBy(events, ({ subject }) => subject);
  const subjectOf = new Map(events.map(({ id, subject }) => [id, subject]));
  const logged = Map.groupBy(log, ({ id }) => subjectOf.get(id));
  expect(streams.size).toBe(new Set(log.map(({ stream }) => stream)).size);
  for (const { id, stream } of log)
    if (HASHED.test(stream)) expect(subjectOf.get(id)).not.toBe(stream);
    else expect(subjectOf.get(id)).toBe(stream);
  for (const [subject, sent] of streams)
    expect(sent.map(({ id, revision }) => [id, revision])).toEqual(
      logged.get(subject)!.map(({ id }, revision) => [id, revision]),
    );
  return events;
}
