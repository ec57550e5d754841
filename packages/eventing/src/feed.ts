import { topicOf } from '@forgelog/contracts/event.ts';
import type { CloudEvent } from './cloud-event.ts';

/**
 * Port: where events leave the system to. Adapters: `adapters/memory`, `adapters/kafka`; common contract:
 * `testing/feed.contract.ts`.
 */
export interface Feed {
  /**
   * Resolves when all of the events, given in log order, are with the feed for good; one call at a time. A rejected
   * call may have published some of them and is repeated whole, so each event arrives once at least; of one stream
   * always in order, repeats aside. The extension `position` tells these: within a partition it only grows otherwise.
   */
  publish(events: readonly CloudEvent[]): Promise<void>;
  /** Ends what is under way, then lets go of connections. Idempotent. */
  close(): Promise<void>;
}

export interface FeedMessage {
  topic: string;
  /** The stream: what has one key is in one partition and in order. */
  key: string;
  /** The CloudEvent as JSON (structured mode). */
  value: string;
  headers: { 'content-type': string; position: string };
  /** When it happened, in milliseconds. */
  timestamp: number;
}

/** A CloudEvent as a message. */
export function toMessage(event: CloudEvent): FeedMessage {
  return {
    topic: topicOf(event.source.slice(event.source.lastIndexOf('/') + 1)),
    key: event.subject,
    value: JSON.stringify(event),
    headers: { 'content-type': 'application/cloudevents+json; charset=UTF-8', position: event.position },
    timestamp: Date.parse(event.time),
  };
}
