import { createHash } from 'node:crypto';
import type { FeatureGates } from './features.projection.ts';

/** For whom a feature is asked: `Project:7`. */
export type FeatureActor = `${'User' | 'Group' | 'Project'}:${number}`;

/** @param chance from 0 up to 1, drawn anew for each question */
export function isOpen(
  gates: Omit<FeatureGates, 'name'> & { name: string },
  { actor, isAdmin = false, chance }: { actor?: FeatureActor; isAdmin?: boolean; chance: number },
): boolean {
  if (gates.enabled || chance * 100 < gates.percentageOfTime) return true;
  if (isAdmin && gates.groups.includes('administrators')) return true;
  if (actor === undefined) return false;
  return gates.actors.includes(actor) || shareOf(gates.name, actor) < gates.percentageOfActors;
}

/** The same number from 0 to 99 for one actor and flag, so that a growing percentage keeps those who were in it. */
function shareOf(name: string, actor: FeatureActor): number {
  return createHash('sha256').update(`${name} ${actor}`).digest().readUInt32BE(0) % 100;
}
