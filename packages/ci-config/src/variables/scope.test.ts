import { describe, expect, test } from 'vitest';
import { ExpansionError, VariableScope } from './scope.ts';

/** A name in braces, which templates of this language have too. */
const braced = (name: string) => `$\{${name}}`;
const scope = (...layers: Readonly<Record<string, string>>[]) =>
  new VariableScope(
    layers.map((layer) => new Map(Object.entries(layer))),
    1000,
  );

describe('expansion', () => {
  const vars = scope({
    A: 'a',
    B: 'b$A',
    C: `${braced('B')}c`,
    D: '%C%d',
    SELF: 'x:$SELF',
    GONE: '$NOBODY',
    DOLLAR: 'cost $$A',
  });

  test.each([
    ['$A', 'a'],
    [braced('A'), 'a'],
    ['%A%', 'a'],
    ['$A$A', 'aa'],
    [`${braced('A')}b`, 'ab'],
    ['$Ab', ''],
    ['x$A.y', 'xa.y'],
    ['$D', 'bacd'],
    ['$$A', '$$A'],
    ['$$$A', '$$a'],
    ['%%A%', '%%A%'],
    ['$', '$'],
    [braced(''), braced('')],
    ['$1', '$1'],
    ['100%', '100%'],
    ['${A', '${A'],
    ['$NOBODY', ''],
    ['plain', 'plain'],
    ['', ''],
    ['$DOLLAR', 'cost $$A'],
  ])('%s becomes %s', (text, expected) => {
    expect(vars.expand(text)).toBe(expected);
  });

  test('what nobody defined stays where that is asked for', () => {
    expect(vars.expand('$NOBODY/$A', { keepUnknown: true })).toBe('$NOBODY/a');
    expect(vars.value('GONE')).toBe('$NOBODY');
  });

  test('a variable may name itself: only the runner knows what was there before', () => {
    expect(vars.value('SELF')).toBe('x:$SELF');
  });

  test('a value that nobody gave is undefined, and an empty one is empty', () => {
    expect(scope({ EMPTY: '' }).value('EMPTY')).toBe('');
    expect(scope({}).value('EMPTY')).toBeUndefined();
  });

  test('keys of objects are no variables', () => {
    expect(vars.expand('$constructor$__proto__')).toBe('');
  });
});

test('the last layer with a key counts, also for what refers to it', () => {
  const vars = scope({ NAME: 'weak', GREETING: 'hello $NAME' }, { NAME: 'strong' });
  expect(vars.value('GREETING')).toBe('hello strong');
});

describe('hostile variables', () => {
  test('circles are told with their variables', () => {
    const vars = scope({ A: '$B', B: `x${braced('C')}`, C: '%A%' });
    expect(() => vars.value('A')).toThrow(
      new ExpansionError('circular variable reference detected: ["A","B","C"]'),
    );
    // Nothing of the failed try is left behind.
    expect(() => vars.value('B')).toThrow(
      new ExpansionError('circular variable reference detected: ["B","C","A"]'),
    );
  });

  test('values that double again and again are refused, not made', () => {
    const layer: Record<string, string> = { V0: 'xxxxxxxxxx' };
    for (let at = 1; at < 60; at += 1) layer[`V${at}`] = `$V${at - 1}$V${at - 1}`;
    expect(() => scope(layer).value('V59')).toThrow('too long');
  });

  test('a chain of thousands is refused, not followed', () => {
    const layer: Record<string, string> = {};
    for (let at = 0; at < 20_000; at += 1) layer[`V${at}`] = `$V${at + 1}`;
    expect(() => scope(layer).value('V0')).toThrow('levels deep');
  });

  test('many values that are each just short enough are refused together', () => {
    const layer = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`V${at}`, `$BIG${at}`]));
    const vars = scope(
      { BIG: 'x'.repeat(900) },
      layer,
      Object.fromEntries(Object.keys(layer).map((key) => [key, '$BIG'])),
    );
    expect(() => Object.keys(layer).map((key) => vars.value(key))).toThrow('too long');
  });
});
