import { afterEach, describe, expect, test } from 'vitest';
import type { CloudEvent } from '../cloud-event.ts';
import type { Feed, FeedMessage } from '../feed.ts';

export interface FeedUnderTest {
  feed: Feed;
  /** Waits for the first `count` messages; each partition is in order. */
  received(count: number): Promise<FeedMessage[]>;
  /** The services of the feed; each test uses its own. */
  services: readonly [string, string];
}

let positions = 0;

function cloudEvent(service: string, subject: string, revision: number, data: unknown = {}): CloudEvent {
  return {
    specversion: '1.0',
    id: crypto.randomUUID(),
    source: `/forgelog/${service}`,
    epoch: '0000000',
    type: 'SomethingHappened',
    subject,
    time: '2024-05-06T07:08:09.123Z',
    datacontenttype: 'application/json',
    dataschema: 'https://forgelog.example/api/v4/event_schemas/ThingMade/1',
    position: String(++positions).padStart(16, '0'),
    revision,
    schemaversion: 1,
    data,
  };
}

export function describeFeed(title: string, open: () => Promise<FeedUnderTest>): void {
  describe(`feed: ${title}`, () => {
    const opened: Feed[] = [];
    const fresh = async () => {
      const under = await open();
      opened.push(under.feed);
      return under;
    };
    afterEach(async () => {
      for (const feed of opened.splice(0)) await feed.close();
    });

    test("publishes an event to its service's topic, keyed by its stream", async () => {
      const { feed, received, services } = await fresh();
      const event = cloudEvent(services[0], 'thing-1', 0, { text: 'ä 🙂 "quoted"\n', none: null });
      await feed.publish([event]);
      const [message] = (await received(1)) as [FeedMessage];
      expect(message).toEqual({
        topic: `forgelog.${services[0]}`,
        key: 'thing-1',
        value: JSON.stringify(event),
        headers: {
          'content-type': 'application/cloudevents+json; charset=UTF-8',
          position: event.position,
        },
        timestamp: Date.parse(event.time),
      });
    });

    test('keeps each stream in order over many calls and services', async () => {
      const { feed, received, services } = await fresh();
      const events: CloudEvent[] = [];
      for (let i = 0; i < 300; i++)
        events.push(cloudEvent(services[i % 2] as string, `thing-${i % 20}`, Math.floor(i / 20)));
      for (let i = 0; i < events.length; i += 60) await feed.publish(events.slice(i, i + 60));
      const arrived = (await received(300)).map(({ value }) => JSON.parse(value) as CloudEvent);
      expect(arrived).toHaveLength(300);
      for (let i = 0; i < 20; i++)
        expect(arrived.filter(({ subject }) => subject === `thing-${i}`)).toEqual(
          events.filter(({ subject }) => subject === `thing-${i}`),
        );
    });

    test('accepts an empty batch, and delivers a large batch with a large event as a whole', async () => {
      const { feed, received, services } = await fresh();
      await feed.publish([]);
      const events = Array.from({ length: 40 }, (_, i) =>
        cloudEvent(services[0], 'thing-1', i, { text: 'x'.repeat(i === 20 ? 3_000_000 : 100_000) }),
      );
      await feed.publish(events);
      const arrived = await received(40);
      expect(arrived.map(({ value }) => JSON.parse(value))).toEqual(events);
    });

    test('rejects events after a close, and allows a second close', async () => {
      const { feed, services } = await fresh();
      await feed.close();
      await expect(feed.publish([cloudEvent(services[0], 'thing-1', 0)])).rejects.toThrow();
      await feed.close();
    });
  });
}
