import { createHash } from 'node:crypto';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import type { TargetRef } from '../targets/target-ref.ts';

/* Ids of system notes come from the log alone, and lie above all ids that people's notes are given in turn (ADR 102). */

const FIRST = 2 ** 52;
const HALF = 2 ** 51;
const SLOTS = 2 ** 4;
const REVISIONS = 2 ** 18;
const IDS = 2 ** 28;

type Source = Pick<RecordedEvent, 'id' | 'stream' | 'revision'>;

/**
 * @param slot tells the notes of one event on one target apart
 * @param isOwn whether the event is of the target's own stream: then ids ascend with the log
 */
export function systemNoteId(
  { type, id }: Pick<TargetRef, 'type' | 'id'>,
  event: Source,
  { slot, isOwn }: { slot: number; isOwn: boolean },
): number {
  if (isOwn && id < IDS && event.revision < REVISIONS) {
    const place = (id * REVISIONS + event.revision) * SLOTS + slot;
    return FIRST + place * 2 + (type === 'Issue' ? 0 : 1);
  }
  return hashed(`${event.id} ${type} ${id} ${slot}`);
}

/** The note that one mentions the other, however often it does. */
export const mentionId = (source: string, named: string): number => hashed(`${source} ${named}`);

function hashed(text: string): number {
  const hash = createHash('sha256').update(text).digest();
  return FIRST + HALF + Number(hash.readBigUInt64BE() >> 13n);
}

/** The discussion that a system note is alone in. */
export const systemDiscussionId = (noteId: number): string =>
  createHash('sha1').update(`system note ${noteId}`).digest('hex');
