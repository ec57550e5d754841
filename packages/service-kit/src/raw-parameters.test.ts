import { Rejection } from '@forgelog/contracts/errors.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emptyRecord, parseJsonBody, parsePairs } from './raw-parameters.ts';

const pairs = (text: string) => {
  const into = emptyRecord();
  parsePairs(text, into);
  return JSON.parse(JSON.stringify(into));
};
const body = (text: string) => {
  const into = emptyRecord();
  parseJsonBody(text, into);
  return JSON.parse(JSON.stringify(into));
};

describe('pairs of a query or a form', () => {
  test.each([
    ['a=1&b=', { a: '1', b: '' }],
    ['a', { a: '' }],
    ['a=1&a=2&a=3', { a: ['1', '2', '3'] }],
    ['a[]=1&a[]=2', { a: ['1', '2'] }],
    ['a%5B%5D=1', { a: ['1'] }],
    ['a[0]=x&a[1]=y', { a: { 0: 'x', 1: 'y' } }],
    ['not[labels]=x&not[iids][]=1&not[iids][]=2', { not: { labels: 'x', iids: ['1', '2'] } }],
    ['links[][name]=a&links[][url]=u&links[][name]=b', { links: [{ name: 'a', url: 'u' }, { name: 'b' }] }],
    ['assets[links][][name]=a&assets[links][][url]=u', { assets: { links: [{ name: 'a', url: 'u' }] } }],
    ['v[0][key]=A&v[0][value]=1&v[1][key]=B', { v: { 0: { key: 'A', value: '1' }, 1: { key: 'B' } } }],
    ['a=x+y%2Bz&%C3%BC=%F0%9F%8C%8D', { a: 'x y+z', ü: '🌍' }],
    ['[]=1&]=2', { '[]': '1', ']': '2' }],
  ])('%s', (text, expected) => {
    expect(pairs(text)).toEqual(expected);
  });

  test.each([
    '__proto__=1',
    'a[__proto__][x]=1',
    'constructor[prototype][x]=1',
    'a[constructor]=1',
    '__proto__[]=1',
  ])('refuses %s and leaves prototypes alone', (text) => {
    expect(() => pairs(text)).toThrow(Rejection);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  test('refuses broken encodings, too many pairs and deep nesting', () => {
    expect(() => pairs('a=%E0%A4')).toThrow(Rejection);
    expect(() => pairs('a=1&'.repeat(10_001))).toThrow(Rejection);
    expect(() => pairs(`a${'[b]'.repeat(100)}=1`)).toThrow(Rejection);
    expect(() => pairs('a=1&a[b]=2')).toThrow(Rejection);
  });

  test('decodes what was encoded', () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((text) => !/[[\]]|__proto__|constructor|prototype/.test(text));
    fc.assert(
      fc.property(
        fc.dictionary(name, fc.string({ unit: 'grapheme' }), { noNullPrototype: true }),
        (fields) => {
          const text = Object.entries(fields)
            .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
            .join('&');
          expect(pairs(text)).toEqual(fields);
        },
      ),
    );
  });

  test('accepts or refuses any input without another error', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab[]=&%0') }), (text) => {
        try {
          pairs(text);
        } catch (error) {
          expect(error).toBeInstanceOf(Rejection);
        }
      }),
    );
  });
});

describe('a JSON body', () => {
  test('is an object of plain values', () => {
    expect(body(' {"a":[1,null,true,{"b":"c"}]} ')).toEqual({ a: [1, null, true, { b: 'c' }] });
    expect(body('   ')).toEqual({});
  });

  test.each(['[1]', '"x"', 'null', '{', '{"a":1}x', '{"__proto__":{"x":1}}', '{"a":{"constructor":{}}}'])(
    'is refused: %s',
    (text) => {
      expect(() => body(text)).toThrow(Rejection);
    },
  );

  test('is refused at 5,000 levels or 200,000 values', () => {
    expect(() => body(`{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`)).toThrow(/malformed/);
    expect(() => body(JSON.stringify({ a: Array.from({ length: 200_000 }, () => 0) }))).toThrow(/malformed/);
    expect(body('{"a":"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\\"[["}').a).toHaveLength(40);
  });
});
