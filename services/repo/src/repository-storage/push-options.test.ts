import { expect, test } from 'vitest';
import { recordedPushOptions } from './push-options.ts';

test.each([
  ['ci.skip', 'ci.skip'],
  ['merge_request.create', 'merge_request.create'],
  ['merge_request.title=Fix = all', 'merge_request.title=Fix = all'],
  ['ci.variable=TOKEN=s3cret=', 'ci.variable=TOKEN'],
  ['ci.variable="TOKEN=s3cret"', 'ci.variable=TOKEN'],
  ['ci.variable=TOKEN', 'ci.variable=TOKEN'],
  ['deploy_password=s3cret', 'deploy_password'],
  ['ci.variables=TOKEN=s3cret', 'ci.variables'],
  ['=s3cret', ''],
  ['', ''],
])('of %j the log keeps %j', (option, kept) => {
  expect(recordedPushOptions([option])).toEqual([kept]);
});

test('the number and length of options are bounded', () => {
  expect(recordedPushOptions(Array(5000).fill('ci.skip'))).toHaveLength(100);
  expect(recordedPushOptions([`merge_request.description=${'x'.repeat(100_000)}`])[0]).toHaveLength(1024);
});
