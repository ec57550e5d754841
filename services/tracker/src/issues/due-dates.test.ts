import { expect, test } from 'vitest';
import { type DueDateWord, dueOn } from './due-dates.ts';

test.each<[DueDateWord, string, object]>([
  ['0', '2026-11-20', { op: 'isEmpty', field: 'dueDate' }],
  ['overdue', '2026-11-20', { lt: '2026-11-20' }],
  // A Friday, a Monday and a Sunday.
  ['week', '2026-11-20', { gte: '2026-11-16', lte: '2026-11-22' }],
  ['week', '2026-11-16', { gte: '2026-11-16', lte: '2026-11-22' }],
  ['week', '2026-11-22', { gte: '2026-11-16', lte: '2026-11-22' }],
  ['week', '2026-12-31', { gte: '2026-12-28', lte: '2027-01-03' }],
  ['month', '2026-11-20', { gte: '2026-11-01', lte: '2026-11-30' }],
  ['month', '2028-02-29', { gte: '2028-02-01', lte: '2028-02-29' }],
  ['next_month_and_previous_two_weeks', '2026-11-20', { gte: '2026-11-06', lte: '2026-12-31' }],
  ['next_month_and_previous_two_weeks', '2027-01-31', { gte: '2027-01-17', lte: '2027-02-28' }],
  ['next_month_and_previous_two_weeks', '2026-12-10', { gte: '2026-11-26', lte: '2027-01-31' }],
])('%s on %s', (word, today, expected) => expect(dueOn(word, today)).toMatchObject(expected));
