import { and, type Condition, eq, or, range } from '@forgelog/eventing/query.ts';

/** Tokens that are neither revoked nor expired on a day, `YYYY-MM-DD`. */
export const workingOn = (day: string): Condition =>
  and(eq('revoked', false), or(eq('expiresAt', null), range('expiresAt', { gt: day })));
