import { type Position as ServerPosition, START } from '@eventstore/db-client';
import { BEGINNING, type Position } from '../../event.ts';
import { EventStoreUnavailableError } from '../../event-store.ts';

/*
 * A server tells where an event is in its log by two numbers of 64 bits, of the commit and of the prepare record.
 * As text both have sixteen hexadecimal digits, so that positions compare as the numbers do.
 */

const FORM = /^([0-9a-f]{16})-([0-9a-f]{16})$/;
/** What servers before 22.6 say of an event that was read from its stream. */
const UNKNOWN = 2n ** 64n - 1n;

/** @throws EventStoreUnavailableError where the server does not tell positions */
export function toPosition(position: ServerPosition | undefined): Position {
  if (!position || position.commit === UNKNOWN)
    throw new EventStoreUnavailableError(
      'this EventStoreDB does not tell the positions of events: version 22.6 or newer is needed',
    );
  return textOf(position);
}

/** For positions that a server tells of itself: those of checkpoints. */
export const textOf = ({ commit, prepare }: ServerPosition): Position =>
  `${digits(commit)}-${digits(prepare)}`;

const digits = (number: bigint): string => number.toString(16).padStart(16, '0');

/** Where a read or a subscription starts. @throws RangeError for a position of another store */
export function fromPosition(position: Position): ServerPosition | typeof START {
  if (position === BEGINNING) return START;
  const [, commit, prepare] = FORM.exec(position) ?? [];
  if (!commit || !prepare) throw new RangeError(`${position} is not a position of this log`);
  return { commit: BigInt(`0x${commit}`), prepare: BigInt(`0x${prepare}`) };
}
