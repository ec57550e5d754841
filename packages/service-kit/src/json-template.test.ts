import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonTemplate, listTemplate, renderTemplate } from './json-template.ts';

const resolver = (values: Record<string, string>) => ({
  resolve: (placeholder: string) => values[placeholder],
  load: async () => new Map<string, string>(),
});

function template(...parts: string[]): JsonTemplate {
  const out = new JsonTemplate();
  for (const part of parts) {
    if (part.startsWith('@')) out.placeholder(part.slice(1));
    else out.text(part);
  }
  return out;
}

describe('a JSON template', () => {
  test('is filled in at each rendering', () => {
    const one = template('{"author":', '@u7', ',"web_url":"', '@h', '/', '@p3', '"}');
    const names = resolver({ u7: '{"id":7}', h: 'http://host', p3: 'a/b' });
    const rendered = '{"author":{"id":7},"web_url":"http://host/a/b"}';
    expect(one.render(names)).toBe(rendered);
    expect(one.render(names)).toBe(rendered);
  });

  test('renders the same from its text, whatever the input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const one = template('[', JSON.stringify(`\u0001u1\u0001${text}`), ',', '@u1', ']');
        const names = resolver({ u1: '"one"' });
        const rendered = renderTemplate(String(one), names);
        expect(rendered).toBe(one.render(names));
        expect(JSON.parse(rendered as string)).toEqual([`\u0001u1\u0001${text}`, 'one']);
      }),
    );
  });

  test('takes another template as it is or as its text, and leaves it unchanged', () => {
    const inner = template('{"author":', '@u4', '}');
    const list = new JsonTemplate();
    list.text('[');
    list.add(inner);
    list.text(',');
    list.add(String(inner));
    list.text(']');
    expect(String(list)).toBe('[{"author":\u0001u4\u0001},{"author":\u0001u4\u0001}]');
    expect(String(inner)).toBe('{"author":\u0001u4\u0001}');
  });

  test('loads missing placeholders in one call', async () => {
    const loaded: string[][] = [];
    const rendered = await template('[', '@u1', ',', '@u2', ',', '@u3', ']').render({
      // A change overlaps the read, so no cache keeps what it gave.
      resolve: (placeholder) => (placeholder === 'u1' ? '1' : undefined),
      async load(placeholders) {
        loaded.push([...placeholders]);
        return new Map(placeholders.map((placeholder) => [placeholder, placeholder.slice(1)]));
      },
    });
    expect(rendered).toBe('[1,2,3]');
    expect(loaded).toEqual([['u2', 'u3']]);
  });

  test('resolves a repeated placeholder once', () => {
    const asked: string[] = [];
    const resolve = (placeholder: string) => {
      asked.push(placeholder);
      return '0';
    };
    const many = template('[0', ...Array.from({ length: 100 }, () => [',', '@u1']).flat(), ']');
    expect(JSON.parse(many.render({ resolve, load: async () => new Map() }) as string)).toHaveLength(101);
    expect(asked).toEqual(['u1']);
  });

  test('rejects a placeholder without a resolver', async () => {
    await expect(template('@u1').render(resolver({}))).rejects.toThrow('placeholder u1 cannot be resolved');
  });

  test('joins texts to a list', () => {
    expect(listTemplate(['1', '2'])).toBe('[1,2]');
    expect(listTemplate([])).toBe('[]');
  });
});
