import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { range } from '@forgelog/eventing/query.ts';

/* What the sweepers of tokens and memberships ask for, on one day. */

export const TODAY = '2030-01-10';
export const TOMORROW = '2030-01-11';
export const noonOfToday = () => new Date(`${TODAY}T12:00:00Z`);

export const due = {
  where: range('expiresAt', { lte: TODAY }),
  reason: 'expired',
  metadata: SYSTEM_METADATA,
} as const;

export const going = () => new AbortController().signal;
