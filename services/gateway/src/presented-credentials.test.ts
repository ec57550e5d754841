import { Rejection } from '@forgelog/contracts/errors.ts';
import { expect, test } from 'vitest';
import { readCredentials } from './presented-credentials.ts';

test.each([
  [{}, '', { token: undefined, sudo: undefined }],
  [{}, 'a=1&tokens=2&sudoer=3&x=%5B', { token: undefined, sudo: undefined }],
  [{ 'private-token': 'own' }, 'private_token=other', { token: 'own' }],
  [{ authorization: 'Bearer bearer' }, 'private_token=own', { token: 'own' }],
  [{ authorization: 'bearer  bearer ' }, 'access_token=oauth', { token: 'bearer' }],
  [{ authorization: 'Basic eDp5' }, 'access_token=oauth', { token: 'oauth' }],
  [{ 'private-token': '' }, 'access_token=oauth', { token: 'oauth' }],
  [{}, 'private%5Ftoken=a%2Bb', { token: 'a+b' }],
  [{ sudo: '7' }, '', { sudo: '7' }],
  [{}, 'sudo=Alice', { sudo: 'Alice' }],
  [{ sudo: 'alice' }, 'sudo=alice', { sudo: 'alice' }],
])('%j ?%s', (headers, search, expected) => {
  expect(readCredentials(headers, search)).toMatchObject(expected);
});

test.each([
  [{}, 'sudo[]=1', 'sudo is invalid'],
  [{}, 'sudo%5Bx%5D=1', 'sudo is invalid'],
  [{}, 'sudo=1&sudo=1', 'sudo is invalid'],
  [{ sudo: 'a, b' }, '', 'sudo is invalid'],
  [{ sudo: 'a' }, 'sudo=b', 'sudo is invalid'],
  [{ sudo: ' ' }, 'sudo=b', 'sudo is empty'],
  [{}, 'sudo', 'sudo is empty'],
  [{ 'private-token': 'own' }, 'private_token[]=x', 'private_token is invalid'],
  [{}, 'access_token=x&access_token=y', 'access_token is invalid'],
  [{}, 'job_token[][]=x', 'job_token is invalid'],
])('%j ?%s is refused', (headers, search, problem) => {
  const refused = new Rejection('invalid_parameters', { problems: [problem] });
  expect(() => readCredentials(headers, search)).toThrow(expect.objectContaining({ body: refused.body }));
});
