import { type Position as ServerPosition, START } from '@eventstore/db-client';
import { BEGINNING, type Position } from '../../event.ts';
import { EventStoreUnavailableError } from '../../event-store.ts';

/* A server position is two 64-bit numbers, commit and prepare; as padded hexadecimal text they sort alike. */

const FORM = /^([0-9a-f]{16})-([0-9a-f]{16})$/;
const LARGEST_SIGNED = '7fffffffffffffff';
/** Servers before 22.6 return this for an event read from its stream. */
const UNKNOWN = 2n ** 64n - 1n;

export function toPosition(position: ServerPosition | undefined): Position {
  if (!position || position.commit === UNKNOWN)
    throw new EventStoreUnavailableError(
      'this EventStoreDB does not tell the positions of events: version 22.6 or newer is needed',
    );
  return textOf(position);
}

export const textOf = ({ commit, prepare }: ServerPosition): Position =>
  `${digits(commit)}-${digits(prepare)}`;

const digits = (number: bigint): string => number.toString(16).padStart(16, '0');

export function isPosition(text: string): boolean {
  const [, commit, prepare] = FORM.exec(text) ?? [];
  return commit !== undefined && prepare !== undefined && prepare <= commit && commit <= LARGEST_SIGNED;
}

export function fromPosition(position: Position): ServerPosition | typeof START {
  if (position === BEGINNING) return START;
  const [, commit, prepare] = FORM.exec(position) ?? [];
  if (!commit || !prepare) throw new RangeError(`${position} is not a position of this log`);
  return { commit: BigInt(`0x${commit}`), prepare: BigInt(`0x${prepare}`) };
}
