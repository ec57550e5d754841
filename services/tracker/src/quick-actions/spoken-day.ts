const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const IN = /^in (\d{1,4}|an?) (day|week|month)s?$/;
const LAST_YEAR = 9999;

/**
 * The day that somebody means: `2026-12-24`, `today`, `tomorrow`, `friday`, `next week`, `in 3 days`.
 * @param today a day, as which the result is given, too @returns null for what is no day
 */
export function dayOf(text: string, today: string): string | null {
  const words = text.trim().toLowerCase();
  if (/^\d{4}-\d{2}-\d{2}$/.test(words)) return isDay(words) ? words : null;
  if (words === 'today') return today;
  if (words === 'tomorrow') return later(today, { days: 1 });
  if (words === 'next week') return later(today, { days: 7 });
  if (words === 'next month') return later(today, { months: 1 });
  const weekday = WEEKDAYS.indexOf(words.replace(/^(?:this|next) /, ''));
  // The coming one: today's name means the day in a week.
  if (weekday >= 0) return later(today, { days: ((weekday - dateOf(today).getUTCDay() + 6) % 7) + 1 });
  const [, count, unit] = IN.exec(words) ?? [];
  if (count === undefined) return null;
  const number = count.startsWith('a') ? 1 : Number(count);
  if (unit === 'month') return later(today, { months: number });
  return later(today, { days: number * (unit === 'week' ? 7 : 1) });
}

const dateOf = (day: string) => new Date(`${day}T00:00:00Z`);
const textOf = (date: Date) => date.toISOString().slice(0, 10);

const isDay = (text: string) => {
  const date = dateOf(text);
  return !Number.isNaN(date.getTime()) && textOf(date) === text;
};

function later(today: string, { days = 0, months = 0 }: { days?: number; months?: number }): string | null {
  const from = dateOf(today);
  // The last day of a shorter month.
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months + 1, 0)).getUTCDate();
  const day = months === 0 ? from.getUTCDate() : Math.min(from.getUTCDate(), lastDay);
  const date = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, day + days));
  return date.getUTCFullYear() > LAST_YEAR ? null : textOf(date);
}

/** `Dec 24, 2026` */
export const mediumDate = (day: string): string =>
  dateOf(day).toLocaleDateString('en-US', {
    ...{ timeZone: 'UTC', month: 'short', day: 'numeric', year: 'numeric' },
  });
