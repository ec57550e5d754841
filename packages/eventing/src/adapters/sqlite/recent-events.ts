import type { RecordedEvent } from '../../event.ts';
import { fromPosition } from './log-format.ts';

/**
 * The newest events of the log, kept in memory for the subscribers that follow it live. One that falls further
 * behind than this reaches reads from disk again, so however slow a subscriber is, the memory is bounded.
 */
export class RecentEvents {
  #events: RecordedEvent[] = [];
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  push(events: readonly RecordedEvent[]): void {
    const last = this.#events.at(-1);
    const next = events[0];
    // What was stored without passing here (found after a failed commit) leaves a hole: start over behind it.
    if (last && next && fromPosition(next.position) !== fromPosition(last.position) + 1) this.#events = [];
    for (const event of events) this.#events.push(event);
    // Trimmed at double size, so that each event is moved once at most.
    if (this.#events.length > 2 * this.#capacity) this.#events = this.#events.slice(-this.#capacity);
  }

  /** Events right after position `after`; undefined when these are no longer, or not yet, here. */
  take(after: number, limit: number): RecordedEvent[] | undefined {
    const [first] = this.#events;
    if (!first) return undefined;
    const start = after + 1 - fromPosition(first.position);
    if (start < 0 || start >= this.#events.length) return undefined;
    return this.#events.slice(start, start + limit);
  }
}
