import type { RecordedEvent } from '../../event.ts';
import { fromPosition } from './log-format.ts';

/** Caches the newest events. A subscriber that lags further reads from disk, so slow ones cost no memory. */
export class RecentEvents {
  #events: RecordedEvent[] = [];
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  push(events: readonly RecordedEvent[]): void {
    const last = this.#events.at(-1);
    const next = events[0];
    // Events found stored after a failed commit never pass here and leave a gap, so start over after it.
    if (last && next && fromPosition(next.position) !== fromPosition(last.position) + 1) this.#events = [];
    for (const event of events) this.#events.push(event);
    // Trimming at double size moves each event at most once.
    if (this.#events.length > 2 * this.#capacity) this.#events = this.#events.slice(-this.#capacity);
  }

  take(after: number, limit: number): RecordedEvent[] | undefined {
    const [first] = this.#events;
    if (!first) return undefined;
    const start = after + 1 - fromPosition(first.position);
    if (start < 0 || start >= this.#events.length) return undefined;
    return this.#events.slice(start, start + limit);
  }
}
