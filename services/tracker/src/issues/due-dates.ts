import { type Condition, isEmpty, range } from '@forgelog/eventing/query.ts';

export type DueDateWord = '0' | 'overdue' | 'week' | 'month' | 'next_month_and_previous_two_weeks';

/** The issues that are due as a word says [L256]; `today` is a day, weeks begin on Monday. */
export function dueOn(word: DueDateWord, today: string): Condition {
  const field = 'dueDate';
  switch (word) {
    case '0':
      return isEmpty(field);
    case 'overdue':
      return range(field, { lt: today });
    case 'week': {
      const monday = plusDays(today, -((dayOf(today).getUTCDay() + 6) % 7));
      return range(field, { gte: monday, lte: plusDays(monday, 6) });
    }
    case 'month':
      return range(field, { gte: `${today.slice(0, 8)}01`, lte: endOfMonth(today, 0) });
    case 'next_month_and_previous_two_weeks':
      return range(field, { gte: plusDays(today, -14), lte: endOfMonth(today, 1) });
    default:
      return word satisfies never;
  }
}

const dayOf = (text: string) => new Date(`${text}T00:00:00Z`);
const textOf = (day: Date) => day.toISOString().slice(0, 10);

function plusDays(text: string, days: number): string {
  const day = dayOf(text);
  day.setUTCDate(day.getUTCDate() + days);
  return textOf(day);
}

/** The last day of the month that is `months` after the one of `text`. */
function endOfMonth(text: string, months: number): string {
  const day = dayOf(text);
  return textOf(new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + months + 1, 0)));
}
