import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bool,
  date,
  datetime,
  decodeParams,
  fallback,
  hash,
  idOrPath,
  int,
  intOr,
  list,
  nullable,
  number,
  oneOf,
  type Params,
  type RawValue,
  Repeated,
  required,
  text,
  textHash,
  url,
} from './params.ts';

function decode(params: Params, raw: Record<string, RawValue>) {
  const problems: string[] = [];
  const decoded = decodeParams(params, raw, problems);
  return problems.length > 0 ? problems.join(', ') : decoded;
}

describe('one parameter', () => {
  test.each<[string, Params[string], RawValue, unknown]>([
    ['a decimal number as text', number({ min: 0, max: 100 }), '92.50', 92.5],
    ['a number with an exponent', number({ min: 0, max: 100 }), '1e1', 10],
    ['a number as text', int(), '12', 12],
    ['a number as JSON', int(), 12, 12],
    ['a negative number', int(), '-3', -3],
    ['true as python says it', bool(), 'True', true],
    ['true as a form says it', bool(), '1', true],
    ['false as on/off', bool(), 'off', false],
    ['a word', oneOf('asc', 'desc'), 'asc', 'asc'],
    ['a day', date(), '2024-02-29', '2024-02-29'],
    ['a day with a time', date(), '2027-12-31T00:00:00.000Z', '2027-12-31'],
    ['a day with a time that is the next day in UTC', date(), '2027-12-31T23:30:00-05:00', '2027-12-31'],
    ['a day with a time that is the day before in UTC', date(), '2027-12-31T00:30:00+0900', '2027-12-31'],
    ['a day with a time and no zone', date(), '2027-12-31 18:00', '2027-12-31'],
    ['a day with a zone whose plus was not encoded', date(), '2027-12-31T18:00:00 09:00', '2027-12-31'],
    ['a time in UTC', datetime(), '2021-09-20T09:06:12Z', '2021-09-20T09:06:12.000Z'],
    ['a time with a zone', datetime(), '2021-09-20T09:06:12.5+03:00', '2021-09-20T06:06:12.500Z'],
    [
      'a zone whose plus was not encoded',
      datetime(),
      '2021-09-20T09:06:12 03:00',
      '2021-09-20T06:06:12.000Z',
    ],
    ['a time without seconds', datetime(), '2021-09-20 09:06', '2021-09-20T09:06:00.000Z'],
    ['a day as a time', datetime(), '2021-09-20', '2021-09-20T00:00:00.000Z'],
    ['a comma list', list(text()), 'a, b,,c', ['a', 'b', 'c']],
    ['a bracketed list', list(int()), ['1', 2], [1, 2]],
    ['a list with numbered members', list(text()), { 1: 'b', 0: 'a' }, ['a', 'b']],
    ['a single value as a list', list(int()), 7, [7]],
    ['the empty list of a form', list(text()), [''], []],
    ['the empty list as text', list(text()), '', []],
    ['a number that came twice', int(), Repeated.of('2', '3'), 3],
    ['a word that came twice', fallback(oneOf('asc', 'desc'), 'asc'), Repeated.of('asc', 'desc'), 'desc'],
    ['a list by a repeated name', list(text()), Repeated.of('a', 'b'), ['a', 'b']],
    ['a comma list that came twice', list(text()), Repeated.of('a,b', 'c'), ['a', 'b', 'c']],
    ['a hash', hash({ n: int(), t: text() }), { n: '1', other: 'x' }, { n: 1 }],
    ['a free hash', textHash(), { a: 1, b: 'x' }, { a: '1', b: 'x' }],
    ['a list of hashes', list(hash({ k: required(text()) })), [{ k: 'a' }], [{ k: 'a' }]],
    ['a number or a word', intOr('None', 'Any'), 'none', 'None'],
    ['a number where a word could be', intOr('None', 'Any'), '5', 5],
    ['an id', idOrPath(), 'group/sub', 'group/sub'],
    ['an address', url(), 'https://example.org', 'https://example.org'],
    ['an address with all parts', url(), 'HTTP://[::1]:80/a%20b?c=d#e', 'HTTP://[::1]:80/a%20b?c=d#e'],
    ['an address in another script', url(), 'https://bücher.example/ü', 'https://bücher.example/ü'],
    ['an address that is cleared', url({ clearable: true }), '', ''],
    ['a login name', url({ schemes: ['ssh'] }), 'ssh://git@host/x', 'ssh://git@host/x'],
  ])('%s', (_name, param, raw, expected) => {
    expect(decode({ p: param }, { p: raw })).toEqual({ p: expected });
  });

  test.each<[Params[string], RawValue, string]>([
    [number({ min: 0, max: 1 }), 'NaN', 'p is invalid'],
    [number({ min: 0, max: 1 }), '1.01', 'p has a value not allowed'],
    [int(), '12abc', 'p is invalid'],
    [int(), '0x1', 'p is invalid'],
    [int(), '1e1', 'p is invalid'],
    [int(), '9007199254740993', 'p is invalid'],
    [int(), 1.5, 'p is invalid'],
    [int(), ['1'], 'p is invalid'],
    [int({ min: 1 }), '0', 'p has a value not allowed'],
    [bool(), 'maybe', 'p is invalid'],
    [oneOf('asc', 'desc'), 'up', 'p does not have a valid value'],
    [date(), '2023-02-30', 'p is invalid'],
    [date(), '2023-2-3', 'p is invalid'],
    [date(), '2023-02-30T00:00:00Z', 'p is invalid'],
    [date(), '2023-02-03T25:00:00Z', 'p is invalid'],
    [date(), '2023-02-03T00:00:00+99:99', 'p is invalid'],
    [date(), '2023-02-03T', 'p is invalid'],
    [date(), '2023-02-03; DROP', 'p is invalid'],
    [date(), 20230203, 'p is invalid'],
    [datetime(), '2023-02-30T00:00:00Z', 'p is invalid'],
    [datetime(), '2023-01-01T25:00:00Z', 'p is invalid'],
    [datetime(), 'yesterday', 'p is invalid'],
    [datetime(), '0000-01-01T00:00:00+14:00', 'p is invalid'],
    [datetime(), '9999-12-31T23:59:59-14:00', 'p is invalid'],
    [intOr('None', 'Any'), Object.assign(Object.create(null), { $ne: '1' }), 'p is invalid'],
    [intOr('None', 'Any'), ['None'], 'p is invalid'],
    ...[
      ...[
        'nonsense',
        'https://',
        '//host',
        'https:host',
        'https:/host',
        'https:\\\\host',
        'https://a b',
        ' https://a',
      ],
      ...[
        'https://a ',
        'https://a\n',
        'java\tscript:x',
        '\u0001javascript:x',
        '\u0000https://a',
        'https://a/\u007f',
      ],
      ...['https://a/\u0085', 'https://a/\u00a0', 'https://a/\u200b', 'https://a/\u202e', 'https://a/\ud800'],
      ...['https://a:99999', 'https://[a', 'https://a/\u2028'],
    ].map((raw): [Params[string], RawValue, string] => [url(), raw, 'p must be a valid URL']),
    [url(), 'javascript:alert(1)', 'p is blocked: Only allowed schemes are http, https'],
    [url(), 'ftp://host', 'p is blocked: Only allowed schemes are http, https'],
    [url({ schemes: ['git'] }), 'git:///x', 'p must be a valid URL'],
    [url(), 'https://me:secret@host', 'p must not contain a user name or password'],
    [url(), 'https://me@host', 'p must not contain a user name or password'],
    [url({ schemes: ['ssh'] }), 'ssh://me:secret@host', 'p must not contain a user name or password'],
    [url({ max: 12 }), 'https://a/1234', 'p is too long (maximum is 12 characters)'],
    [url(), ['https://a'], 'p is invalid'],
    [text(), { $ne: 'x' }, 'p is invalid'],
    [text(), ['x'], 'p is invalid'],
    [text(), 'a\0b', 'p is invalid'],
    [text({ max: 3 }), 'abcd', 'p is too long (maximum is 3 characters)'],
    [list(int(), { max: 2 }), '1,2,3', 'p has too many items (maximum is 2)'],
    [list(text()), { $in: 'x' }, 'p is invalid'],
    [hash({ n: int() }), { n: 'x' }, 'p is invalid (n is invalid)'],
    [hash({ n: int() }), 'x', 'p is invalid'],
  ])('refuses %#: %j', (param, raw, problem) => {
    expect(decode({ p: param }, { p: raw })).toBe(problem);
  });
});

test('a date ignores the time and zone after it', () => {
  const days = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
  const two = (max: number) => fc.integer({ min: 0, max }).map((value) => String(value).padStart(2, '0'));
  const zones = fc.oneof(
    fc.constantFrom('', 'Z', 'z', ' UTC'),
    fc
      .tuple(fc.constantFrom('+', '-'), two(14), fc.constantFrom('', ':'), two(59))
      .map((parts) => parts.join('')),
  );
  const fractions = fc.constantFrom('', '.5', '.123', '.123456789');
  fc.assert(
    fc.property(
      days,
      two(23),
      two(59),
      two(59),
      fractions,
      zones,
      (time, hour, minute, second, part, zone) => {
        const day = time.toISOString().slice(0, 10);
        expect(decode({ p: date() }, { p: day })).toEqual({ p: day });
        const stamp = `${day}T${hour}:${minute}:${second}${part}${zone}`;
        expect(decode({ p: date() }, { p: stamp })).toEqual({ p: day });
      },
    ),
  );
});

describe('presence', () => {
  test('each missing or empty parameter is reported', () => {
    const params = { name: required(text()), id: required(int()), path: required(text()) };
    expect(decode(params, { id: '' })).toBe('name is missing, id is empty, path is missing');
  });

  test('null clears a nullable parameter and is absent elsewhere', () => {
    expect(
      decode({ a: nullable(int()), b: int(), c: fallback(int(), 3) }, { a: null, b: null, c: null }),
    ).toEqual({
      a: null,
      c: 3,
    });
    expect(decode({ a: nullable(int()) }, { a: '' })).toEqual({ a: null });
  });

  test('an empty text is a value', () => {
    expect(decode({ a: text() }, { a: '' })).toEqual({ a: '' });
  });
});
