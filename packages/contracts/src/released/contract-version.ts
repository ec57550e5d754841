import type { EventDefinition } from '../event.ts';
import { type Contract, fingerprintOf } from './contract.ts';
import { unservable } from './downcast.ts';
import type { Release } from './releases.ts';

/**
 * The version that a contract has to have after the releases: that of the last one if nothing changed, the next major
 * one if some of its consumers cannot be served, else the next minor one.
 */
export function requiredVersion(
  current: Contract,
  definitions: readonly EventDefinition[],
  released: readonly Release[],
): string {
  const last = released.at(-1);
  if (!last) return '1.0';
  if (fingerprintOf(last) === fingerprintOf(current)) return last.version;
  const [major = 0, minor = 0] = last.version.split('.').map(Number);
  return unservable(last, current, definitions).length > 0 ? `${major + 1}.0` : `${major}.${minor + 1}`;
}
