import { defineEndpoint, user } from '@forgelog/contracts/endpoint.ts';
import { defineOperation } from '@forgelog/contracts/operation.ts';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { noContent } from './answer.ts';
import { implementOperation } from './operations.ts';
import { checkImplementations, implement, type Service } from './service.ts';

const endpoint = (id: string, service: 'ci' | 'repo') =>
  defineEndpoint({
    id,
    service,
    method: 'GET',
    path: `/${id}`,
    summary: id,
    spec: 'test',
    access: user,
    params: {},
  });
const [one, two, other] = [endpoint('one', 'ci'), endpoint('two', 'ci'), endpoint('other', 'repo')];

const serving = (...served: (typeof one)[]): Service => ({
  name: 'ci',
  implementations: served.map((each) => implement(each, async () => noContent())),
  projections: [],
  policies: [],
});

test('a service that implements its contracts starts', () => {
  expect(() => checkImplementations(serving(one, two), [one, two, other])).not.toThrow();
});

test('a service that implements too little or too much does not start', () => {
  expect(() => checkImplementations(serving(one), [one, two, other])).toThrow(
    /two is not implemented\. .*services\/ci\/src\/ci\.ts.*endpoints\.ts/,
  );
  expect(() => checkImplementations(serving(one, two, other), [one, two, other])).toThrow(
    'other is implemented but not',
  );
  expect(() => checkImplementations(serving(one, one, two), [one, two])).toThrow('one is implemented twice');
});

test('a service without one of its operations does not start', () => {
  const operation = defineOperation({
    id: 'ask',
    service: 'ci',
    summary: 'Asks',
    effect: 'read',
    request: z.null(),
    answer: z.null(),
  });
  expect(() => checkImplementations(serving(one), [one], [operation])).toThrow('ask is not implemented');
  const asked = { ...serving(one), operations: [implementOperation(operation, async () => null)] };
  expect(() => checkImplementations(asked, [one], [operation])).not.toThrow();
  expect(() => checkImplementations(asked, [one])).toThrow("ask is implemented but not this service's");
});
