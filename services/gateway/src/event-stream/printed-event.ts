import { GivenEvent } from '@forgelog/eventing/checked-event.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import type { Reach } from './reach.ts';

type Frame = ReturnType<Reach['frame']>;

/**
 * An event that remembers its print, in a field that nobody else sees or copies. A WeakMap would do the same, but costs a
 * sixth to a fifth of the processor time of a backlog (ADR 141).
 */
export class PrintedEvent extends GivenEvent {
  readonly #frame: Frame;

  private constructor(event: RecordedEvent, frame: Frame) {
    super(event);
    this.#frame = frame;
  }

  static frameOf(event: RecordedEvent): Frame | undefined {
    return #frame in event ? event.#frame : undefined;
  }

  /** To be called once for an event. */
  static remember(event: RecordedEvent, frame: Frame): void {
    new PrintedEvent(event, frame);
  }
}
