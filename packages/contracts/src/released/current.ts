import { events } from '../events.ts';
import { type Contract, contractOf } from './contract.ts';
import recorded from './current.json' with { type: 'json' };

/** Written by `npm run contract`. */
export const CONTRACT_VERSION: string = recorded.version;

let current: Contract | undefined;

/** The contract of today's events. */
export function currentContract(): Contract {
  current ??= contractOf(events);
  return current;
}
