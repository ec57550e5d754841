import { Rejection } from '@forgelog/contracts/errors.ts';
import { BEGINNING, type Position } from '@forgelog/eventing/event.ts';
import type { EventStore } from '@forgelog/eventing/event-store.ts';
import type { LogIdentity } from '@forgelog/eventing/log-identity.ts';
import type { Reach } from './reach.ts';

const LONGEST_SHOWN = 80;

/**
 * The position after which a subscriber continues.
 * @param header `Last-Event-ID`, which a reconnecting client sends beside its first address
 * @throws Rejection 400 for a text that is no position, 409 for one of another log or of the future, 410 for one that a
 * restore took back
 */
export async function requestedPosition(
  {
    store,
    log,
    reach,
    answered,
  }: {
    store: Pick<EventStore, 'head' | 'isPosition'>;
    log: LogIdentity;
    reach: Reach;
    /** Headers of every answer. */
    answered: Record<string, string>;
  },
  header: string | string[] | undefined,
  parameter: string | undefined,
): Promise<Position> {
  const [name, given] = header === undefined ? ['after', parameter] : ['Last-Event-ID', String(header)];
  if (given === undefined || given === '') return BEGINNING;
  const conflict = (message: string) =>
    new Rejection('conflict', { message: `${name} ${message}` }, answered);
  const read = reach.read(given, log, store);
  switch (read.kind) {
    case 'held':
      if (read.position <= (await store.head())) return read.position;
      throw conflict('is beyond the end of this log, which was restored since or is another one');
    case 'foreign':
      throw conflict('is a position of another log; the header X-Log-Id names this one');
    case 'lost':
      throw new Rejection(
        'position_lost',
        { after: read.common && reach.publish(read.common, log) },
        answered,
      );
    case 'malformed': {
      const shown = JSON.stringify(given.slice(0, LONGEST_SHOWN));
      const wanted =
        'send the `position` of the last event that you have, unchanged, or leave it out to begin at the first event';
      const problem = `${name} is ${shown}, which is no position: ${wanted}`;
      throw new Rejection('invalid_parameters', { problems: [problem] }, answered);
    }
    default:
      return read satisfies never;
  }
}
