import type { Policy } from './policy.ts';
import type { Projection } from './projection.ts';

/** @throws Error for a repeated name (names are checkpoints) or a collection with two writers */
export function checkNames(projections: readonly Projection[], policies: readonly Policy[]): void {
  const owners = new Map<string, string>();
  const names = [...projections, ...policies].map(({ name }) => name);
  for (const name of names)
    if (names.indexOf(name) !== names.lastIndexOf(name)) throw new Error(`two projections are named ${name}`);
  for (const { name, collections } of projections)
    for (const collection of collections) {
      const other = owners.get(collection.name);
      if (other) throw new Error(`${name} and ${other} both write collection ${collection.name}`);
      owners.set(collection.name, name);
    }
}
