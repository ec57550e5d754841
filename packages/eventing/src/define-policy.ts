import type { EventDefinition, EventOf } from '@forgelog/contracts/event.ts';
import type { Recorded } from './define-projection.ts';
import type { Policy } from './policy.ts';

export function definePolicy<const D extends readonly EventDefinition[]>(policy: {
  name: string;
  handles: D;
  react(event: Recorded<EventOf<D[number]>>, signal: AbortSignal): Promise<void>;
}): Policy {
  const { react } = policy;
  return { ...policy, handles: policy.handles.map(({ type }) => type), react: react as Policy['react'] };
}
