import type { Row } from '@forgelog/eventing/adapters/sqlite/log-format.ts';
import { EPOCHS } from '@forgelog/eventing/log-identity.ts';
import { BackupError } from './backup-error.ts';

/** Where a restored log ends: with its event at a position, or before the first that is later than a time. */
export type RestorePoint =
  | { kind: 'time'; time: Date }
  | { kind: 'position'; position: number; published: { log: string; epoch: string } | undefined };

const PUBLISHED = /^p([0-9a-f]{8})-([0-9a-z]{7})-0*(\d+)$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;
const FIRST_EPOCH = '0'.repeat(7);

/** @throws BackupError for a text that is neither */
export function parseRestorePoint(text: string): RestorePoint {
  const [, log, epoch, place] = PUBLISHED.exec(text) ?? [];
  if (log && epoch && place) return { kind: 'position', position: Number(place), published: { log, epoch } };
  if (/^\d{1,16}$/.test(text)) return { kind: 'position', position: Number(text), published: undefined };
  const time = new Date(text);
  if (TIME.test(text) && !Number.isNaN(time.getTime())) return { kind: 'time', time };
  throw new BackupError(
    `--until ${text}: give a time (2026-11-23T14:00:00Z), or a position of the log or of the event stream.`,
  );
}

export const isBeyond = (point: RestorePoint | undefined, [position, , , , , , time]: Row): boolean =>
  point !== undefined &&
  (point.kind === 'position' ? position > point.position : new Date(time) > point.time);

/** Follows the epochs of a log, to tell whether a published position is one of its history. */
export function epochsOf(point: RestorePoint | undefined) {
  let epoch = FIRST_EPOCH;
  return {
    see([, stream, , , , , , data]: Row): void {
      if (stream === EPOCHS) ({ epoch } = JSON.parse(data) as { epoch: string });
    },
    /** @throws BackupError where the position is of another log, or of events that a restore took back */
    check(firstId: string): void {
      if (point?.kind !== 'position' || !point.published) return;
      if (!firstId.endsWith(point.published.log)) throw new BackupError('The position is of another log.');
      if (epoch !== point.published.epoch)
        throw new BackupError('The position is of events that an earlier restore took back. Give a time.');
    },
  };
}
