import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import type { Reach } from './reach.ts';

type Frame = ReturnType<Reach['frame']>;

/** Its constructor returns the event that it is given, so that fields of a class below it are added to that event. */
class Given {
  constructor(event: RecordedEvent) {
    // biome-ignore lint/correctness/noConstructorReturn: this is what the class is for.
    return event as unknown as Given;
  }
}

/**
 * An event that remembers its print, in a field that nobody else sees or copies. A WeakMap would do the same, but costs a
 * sixth to a fifth of the processor time of a backlog (ADR 141).
 */
export class PrintedEvent extends Given {
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
