import type { EventDefinition } from '../event.ts';
import type { Contract, TypeContract } from './contract.ts';
import { withKnownValues } from './known-values.ts';
import { pruned, type Shape } from './shape.ts';
import { obstacles } from './shape-changes.ts';

/** An event as a consumer of an older contract knows it. */
export interface Downcast {
  version: number;
  data: unknown;
}

/**
 * The way back to a released type: the steps of the definition from version to version, then only the values and the
 * fields that the release names. Undefined for an event that it cannot tell of.
 */
export function downcastTo(released: TypeContract, definition: EventDefinition) {
  const steps = stepsTo(released, definition);
  const { version, shape } = released;
  return (data: unknown): Downcast | undefined => {
    const back = steps.reduce<unknown>((known, step) => step?.(known) ?? known, data);
    const known = withKnownValues(back, shape, definition.growing);
    return known === undefined ? undefined : { version, data: pruned(known, shape) };
  };
}

const stepsTo = ({ version }: TypeContract, definition: EventDefinition) =>
  Array.from(
    { length: definition.version - version },
    (_, index) => definition.downcast[definition.version - index],
  );

/**
 * Why consumers of a released contract cannot be served by these definitions, a sentence each. A type with a step of its
 * own is held to its samples by a test instead.
 */
export function unservable(
  released: Contract,
  current: Contract,
  definitions: readonly EventDefinition[],
): string[] {
  const byType = new Map(definitions.map((definition) => [definition.type, definition]));
  const ofTypes = Object.entries(released.types).flatMap(([type, before]) => {
    const definition = byType.get(type);
    const now = current.types[type];
    if (!definition || !now) return [`${type} is gone`];
    const steps = stepsTo(before, definition);
    if (steps.includes(null)) return [`${type} has no way back to version ${before.version}`];
    return steps.some((step) => step !== undefined)
      ? []
      : because(type, before.shape, now.shape, definition.growing);
  });
  return [...because('the envelope', released.envelope, current.envelope), ...ofTypes];
}

const because = (subject: string, before: Shape, now: Shape, growing: readonly string[] = []) =>
  obstacles(before, now, growing).map((reason) => `${subject}: ${reason}`);
