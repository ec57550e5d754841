import { Rejection } from '@forgelog/contracts/errors.ts';

/** The three forms of an HTTP date (RFC 9110, 5.6.7); senders use the first. */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/**
 * Checks `If-Unmodified-Since` against the last change, in whole seconds like the header (companions.md 1.1). Ignores
 * a header that is not an HTTP date (RFC 9110, 13.1.4).
 * @param changedAt RFC 3339 or milliseconds since 1970; null where no time is known
 * @throws 412 for a later change
 */
export function requireUnmodifiedSince(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  changedAt: string | number | null,
): void {
  const given = headers['if-unmodified-since'];
  if (typeof given !== 'string' || !HTTP_DATES.some((form) => form.test(given))) return;
  if (changedAt === null) return;
  // The oldest form has no zone.
  const since = Date.parse(given.endsWith('GMT') ? given : `${given} GMT`);
  if (Math.floor(new Date(changedAt).getTime() / 1000) > since / 1000)
    throw new Rejection('precondition_failed');
}
