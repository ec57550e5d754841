import { defineEndpoint, user } from '@forgelog/contracts/endpoint.ts';
import { expect, test } from 'vitest';
import { noContent } from './answer.ts';
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

test('a service that implements what is its own starts', () => {
  expect(() => checkImplementations(serving(one, two), [one, two, other])).not.toThrow();
});

test('a service that implements too little or too much does not', () => {
  expect(() => checkImplementations(serving(one), [one, two, other])).toThrow('two is not implemented');
  expect(() => checkImplementations(serving(one, two, other), [one, two, other])).toThrow(
    'other is implemented but not',
  );
  expect(() => checkImplementations(serving(one, one, two), [one, two])).toThrow('one is implemented twice');
});
