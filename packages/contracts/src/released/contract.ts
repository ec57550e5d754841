import { createHash } from 'node:crypto';
import { ENVELOPE } from '../asyncapi/envelope.ts';
import { dataSchema } from '../asyncapi/event-schema.ts';
import { type EventDefinition, isPublished } from '../event.ts';
import { type Shape, shapeOf } from './shape.ts';

/** What readers of a type depend on. */
export interface TypeContract {
  version: number;
  subject: readonly string[];
  shape: Shape;
  /** An event as in the log: it is upcast and published by every later program. */
  sample: Sample | undefined;
}

export interface Sample {
  subject: string;
  data: Readonly<Record<string, unknown>>;
}

export interface Contract {
  envelope: Shape;
  types: Readonly<Record<string, TypeContract>>;
}

export function contractOf(events: readonly EventDefinition[]): Contract {
  const leaving = events.filter(isPublished);
  return {
    envelope: shapeOf(ENVELOPE),
    types: Object.fromEntries(leaving.map((event) => [event.type, typeContract(event)])),
  };
}

function typeContract(event: EventDefinition): TypeContract {
  const { version, subject, example } = event;
  const sample = example && { subject: example.subject, data: example.data };
  return { version, subject, shape: shapeOf(dataSchema(event)), sample };
}

/** Changes when readers may notice it: with the shape, the version or the streams of a type, not with an example. */
export function fingerprintOf({ envelope, types }: Contract): string {
  const relevant = Object.entries(types)
    .map(([type, { sample: _, ...rest }]) => [type, rest])
    .sort();
  return createHash('sha256')
    .update(sorted([envelope, relevant]))
    .digest('hex')
    .slice(0, 32);
}

/** Whether readers may notice a difference; an example makes none. */
export function differs(before: TypeContract | undefined, now: TypeContract): boolean {
  if (!before) return true;
  const [{ sample: _, ...one }, { sample: __, ...other }] = [before, now];
  return sorted(one) !== sorted(other);
}

/** JSON that does not depend on the order of members. */
export const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, each) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  );
