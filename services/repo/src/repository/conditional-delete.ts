import { Rejection } from '@forgelog/contracts/errors.ts';

/**
 * Refuses to delete what changed after the time that the caller has seen it.
 * @param changedAt seconds since 1970
 * @throws 412 (companions 1.1)
 */
export function refuseIfModified(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  changedAt: number,
): void {
  const given = headers['if-unmodified-since'];
  if (typeof given !== 'string') return;
  const seen = Date.parse(given);
  if (Number.isNaN(seen)) throw new Rejection('precondition_failed');
  if (changedAt > Math.floor(seen / 1000)) throw new Rejection('precondition_failed');
}
