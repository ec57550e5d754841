import { Rejection } from '@forgelog/contracts/errors.ts';

/**
 * Holds `If-Unmodified-Since` against the time of a record's last change, to the second as the header tells it
 * (companions.md 1.1). A header that is no date counts as none.
 * @throws 412 where the record has changed since
 */
export function requireUnmodifiedSince(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  updatedAt: string | null | undefined,
): void {
  const given = headers['if-unmodified-since'];
  if (typeof given !== 'string' || !updatedAt) return;
  const since = Date.parse(given);
  if (Number.isNaN(since)) return;
  if (Math.floor(Date.parse(updatedAt) / 1000) > Math.floor(since / 1000))
    throw new Rejection('precondition_failed');
}
