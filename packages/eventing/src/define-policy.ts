import type { EventDefinition, EventOf } from '@forgelog/contracts/event.ts';
import type { Recorded } from './define-projection.ts';
import { bySystem, causedBy, type EventMetadata } from './event.ts';
import type { ActsAs, OutlastingWork, Policy } from './policy.ts';

export interface Reaction {
  metadata: EventMetadata;
  signal: AbortSignal;
}

export function definePolicy<const D extends readonly EventDefinition[]>(policy: {
  name: string;
  handles: D;
  actsAs: ActsAs | Readonly<Record<D[number]['type'], ActsAs>>;
  laneOf?(event: Recorded<EventOf<D[number]>>): string;
  react(event: Recorded<EventOf<D[number]>>, reaction: Reaction): Promise<void>;
  outlasting?: OutlastingWork;
}): Policy {
  const { name, react, laneOf, outlasting } = policy;
  const handles = policy.handles.map(({ type }) => type);
  const actsAs = (type: D[number]['type']) =>
    typeof policy.actsAs === 'string' ? policy.actsAs : policy.actsAs[type];
  return {
    name,
    handles,
    actsAs: Object.fromEntries(handles.map((type) => [type, actsAs(type)])),
    ...(laneOf && { laneOf: (event) => laneOf(event as Recorded<EventOf<D[number]>>) }),
    ...(outlasting && { outlasting }),
    react(event, signal) {
      const metadata = actsAs(event.type) === 'system' ? bySystem(event) : causedBy(event);
      return react(event as Recorded<EventOf<D[number]>>, { metadata, signal });
    },
  };
}
