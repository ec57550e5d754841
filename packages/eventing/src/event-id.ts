import { hash, randomFillSync } from 'node:crypto';

const pool = Buffer.alloc(4096);
let used = pool.length;

/** UUID version 7: its leading time keeps new ids together in the log's index, so an insert touches no cold page. */
export function newEventId(now: number = Date.now()): string {
  if (used + 10 > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.toString('hex', used, used + 10);
  used += 10;
  const time = now.toString(16).padStart(12, '0');
  const variant = '89ab'[Number.parseInt(random.charAt(3), 16) & 3];
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`;
}

/**
 * The id of an operation's event in a stream, counted from 0: a UUID of version 8, so that the log itself shows which
 * streams have had the operation (ADR 31).
 */
export function operationEventId(operationId: string, stream: string, index: number): string {
  const digest = hash('sha256', JSON.stringify([operationId, stream, index]));
  const variant = '89ab'[Number.parseInt(digest.charAt(16), 16) & 3];
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}

/** Whether an event's id was derived from an operation's. */
export const isOperationEventId = (id: string): boolean => id.charAt(14) === '8';
