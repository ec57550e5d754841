import { createHash } from 'node:crypto';
import { readConfiguration } from '@forgelog/service-kit/configuration.ts';
import { createJobTokens } from '@forgelog/service-kit/job-token.ts';
import { expect, test } from 'vitest';
import { jobTokens } from './job-token.ts';

test('tokens are derived from the key of the instance', () => {
  const SECRET_KEY = 'a secret of at least thirty-two characters';
  const configuration = readConfiguration({ SECRET_KEY });
  const key = createHash('sha256').update(SECRET_KEY).digest();
  expect(jobTokens({ configuration }).jobOf(createJobTokens(() => key).of(3))).toBe(3);
});
