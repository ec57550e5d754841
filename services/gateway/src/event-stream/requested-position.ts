import { Rejection } from '@forgelog/contracts/errors.ts';
import { BEGINNING, type Position } from '@forgelog/eventing/event.ts';
import type { EventStore } from '@forgelog/eventing/event-store.ts';

const LONGEST_SHOWN = 80;

/**
 * The position after which a subscriber continues.
 * @param header `Last-Event-ID`, which a reconnecting client sends beside its first address
 * @throws Rejection 400 for a text that is no position, 409 for one that the log has not reached
 */
export async function requestedPosition(
  store: EventStore,
  header: string | string[] | undefined,
  parameter: string | undefined,
): Promise<Position> {
  const [name, given] = header === undefined ? ['after', parameter] : ['Last-Event-ID', String(header)];
  if (given === undefined || given === '') return BEGINNING;
  if (!store.isPosition(given)) {
    const shown = JSON.stringify(given.slice(0, LONGEST_SHOWN));
    throw new Rejection('invalid_parameters', {
      problems: [
        `${name} is ${shown}, which is no position: send the \`position\` of the last event that you have, unchanged, or leave it out to begin at the first event`,
      ],
    });
  }
  if (given > (await store.head()))
    throw new Rejection('conflict', {
      message: `${name} is beyond the end of this log: it is of another log, or of one that was restored since`,
    });
  return given;
}
