import type { RecordedEvent } from './event.ts';
import type { EventCatalogue } from './event-catalogue.ts';

/** Its constructor returns the event that it is given, so that fields of a class below it are added to that event (ADR 141). */
export class GivenEvent {
  constructor(event: RecordedEvent) {
    // biome-ignore lint/correctness/noConstructorReturn: this is what the class is for.
    return event as unknown as GivenEvent;
  }
}

interface Checked {
  catalogue: EventCatalogue;
  current: RecordedEvent;
}

class CheckedEvent extends GivenEvent {
  #checked: Checked;

  private constructor(event: RecordedEvent, checked: Checked) {
    super(event);
    this.#checked = checked;
  }

  static of(event: RecordedEvent): Checked | undefined {
    return #checked in event ? event.#checked : undefined;
  }

  static remember(event: RecordedEvent, checked: Checked): void {
    if (#checked in event) event.#checked = checked;
    else new CheckedEvent(event, checked);
  }
}

export function readOnce(catalogue: EventCatalogue, event: RecordedEvent): RecordedEvent {
  const known = CheckedEvent.of(event);
  if (known?.catalogue === catalogue) return known.current;
  const current = catalogue.read(event);
  CheckedEvent.remember(event, { catalogue, current });
  return current;
}
