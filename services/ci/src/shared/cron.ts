import { Cron } from 'croner';

/** Five fields; runners and clients do not know seconds, years and nicknames (`@daily`). */
export function isCron(expression: string): boolean {
  if (expression.trim().split(/\s+/).length !== 5) return false;
  try {
    new Cron(expression, { paused: true });
    return true;
  } catch {
    return false;
  }
}

export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** Returns the first time after `now`, in ISO 8601; null for an expression that means none, as the 31st of February. */
export function nextTime(expression: string, timezone: string, now: string): string | null {
  return new Cron(expression, { paused: true, timezone }).nextRun(new Date(now))?.toISOString() ?? null;
}
