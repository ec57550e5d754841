import { topicOf } from '@forgelog/contracts/event.ts';
import type { CloudEvent } from './cloud-event.ts';

/** Port: the way out for events. Contract: `testing/feed.contract.ts`. */
export interface Feed {
  /**
   * Resolves once the feed holds all events (given in log order) durably; one call at a time. A rejected call may have
   * published some; it is retried as a whole, so delivery is at least once. Each stream stays in order apart from
   * repeats. `position` reveals these: within a partition it otherwise only grows.
   */
  publish(events: readonly CloudEvent[]): Promise<void>;
  /** Waits for calls in flight, then disconnects. Idempotent. */
  close(): Promise<void>;
}

export interface FeedMessage {
  topic: string;
  /** The stream. Messages with one key share a partition and stay in order. */
  key: string;
  /** The CloudEvent as JSON (structured mode). */
  value: string;
  headers: { 'content-type': string; position: string };
  /** Milliseconds since the epoch. */
  timestamp: number;
}

export function toMessage(event: CloudEvent): FeedMessage {
  return {
    topic: topicOf(event.source.slice(event.source.lastIndexOf('/') + 1)),
    key: event.subject,
    value: JSON.stringify(event),
    headers: { 'content-type': 'application/cloudevents+json; charset=UTF-8', position: event.position },
    timestamp: Date.parse(event.time),
  };
}
