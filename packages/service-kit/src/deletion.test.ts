import { expect, test } from 'vitest';
import { askedDeletion } from './deletion.ts';

const clock = () => new Date('2026-11-20T12:00:00.000Z');
const asked = (days: number, params: { permanently_remove?: boolean; full_path?: string } = {}) =>
  askedDeletion(
    { params: { permanently_remove: false, ...params }, fullPath: 'team/app', what: 'project' },
    { days, clock },
  );

test('what is deleted goes at once without days, else whole days later', () => {
  expect(asked(0)).toEqual({ way: 'at once' });
  expect(asked(0, { permanently_remove: true })).toEqual({ way: 'at once' });
  expect(asked(1)).toEqual({ way: 'later', deletionDueAt: '2026-11-21T12:00:00.000Z' });
  expect(asked(90)).toEqual({ way: 'later', deletionDueAt: '2027-02-18T12:00:00.000Z' });
});

test('what is deleted for good is named by its full path', () => {
  expect(asked(7, { permanently_remove: true, full_path: 'team/app' })).toEqual({ way: 'marked' });
  for (const full_path of [undefined, '', 'app', 'Team/App'])
    expect(() =>
      asked(7, { permanently_remove: true, ...(full_path !== undefined && { full_path }) }),
    ).toThrow();
});
