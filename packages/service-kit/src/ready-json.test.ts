import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ref, renderReadyJson, TextRef, withMembers, writeReadyJson } from './ready-json.ts';

const resolver = (values: Record<string, string>) => ({
  resolve: (reference: string) => values[reference],
  load: async () => {},
});

describe('ready JSON', () => {
  test('splices values and parts of texts when it is rendered', async () => {
    const text = writeReadyJson({
      author: ref.user(7),
      nobody: ref.user(null),
      web_url: new TextRef(['', ref.host, '/', ref.projectPath(3), '/-/issues/1']),
    });
    const rendered = await renderReadyJson(
      text,
      resolver({ u7: '{"id":7}', h: 'http://host', p3: 'group/\\"x\\"' }),
    );
    expect(JSON.parse(rendered)).toEqual({
      author: { id: 7 },
      nobody: null,
      web_url: 'http://host/group/"x"/-/issues/1',
    });
  });

  test('is the same text every time it is written', () => {
    const value = { a: ref.user(1), b: new TextRef(['', ref.host, '/x']) };
    expect(writeReadyJson(value)).toBe(writeReadyJson(value));
    expect(writeReadyJson(value)).toBe('{"a":\u0001u1\u0001,"b":"\u0001h\u0001/x"}');
  });

  test('never takes for a reference what a person wrote', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
        const written = writeReadyJson({ text, marked: `\u0001u1\u0001${text}`, user: ref.user(1) });
        const rendered = await renderReadyJson(written, resolver({ u1: '"one"' }));
        expect(JSON.parse(rendered)).toEqual({ text, marked: `\u0001u1\u0001${text}`, user: 'one' });
      }),
    );
  });

  test('loads what is not at hand, once for all', async () => {
    const loaded: string[][] = [];
    const known: Record<string, string> = { u1: '1' };
    const rendered = await renderReadyJson(writeReadyJson([ref.user(1), ref.user(2), ref.user(3)]), {
      resolve: (reference) => known[reference],
      async load(references) {
        loaded.push([...references]);
        for (const reference of references) known[reference] = reference.slice(1);
      },
    });
    expect(rendered).toBe('[1,2,3]');
    expect(loaded).toEqual([['u2', 'u3']]);
  });

  test('takes further members without being parsed', () => {
    expect(withMembers('{"a":1}', { b: 2 })).toBe('{"a":1,"b":2}');
    expect(withMembers('{}', { b: 2 })).toBe('{"b":2}');
    expect(withMembers('{"a":1}', {})).toBe('{"a":1}');
  });
});
