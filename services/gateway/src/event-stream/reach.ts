import type { Position, RecordedEvent } from '@forgelog/eventing/event.ts';
import type { EventStore } from '@forgelog/eventing/event-store.ts';
import type { LogIdentity, PublishedPosition } from '@forgelog/eventing/log-identity.ts';

/** What one subscriber may read of the log, and the form in which they are sent it. */
export interface Reach {
  /** Whether they still may read as of a position; the stream ends when they may not. */
  holdsAt(position: Position): Promise<boolean>;
  readable(events: readonly RecordedEvent[]): Promise<readonly RecordedEvent[]>;
  frame(event: RecordedEvent, log: LogIdentity): { id: string; json: string };
  publish(position: Position, log: LogIdentity): string;
  read(published: string, log: LogIdentity, store: Pick<EventStore, 'isPosition'>): PublishedPosition;
}
