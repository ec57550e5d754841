import type { Code, Writer } from './view-code.ts';

/**
 * Compiles a view to JavaScript, one expression between two placeholders. Interpreted steps would read columns by
 * variable names, which costs twice as much.
 * The source contains only columns and literals of the declaration and the instance, never input.
 */
export function compile(code: Code): Writer {
  const bound: unknown[] = [];
  const nameOf = (value: unknown): string => {
    const at = bound.indexOf(value);
    return `$${at < 0 ? bound.push(value) - 1 : at}`;
  };
  const columnOf = (name: string) => `row[${JSON.stringify(name)}]`;
  const statements: string[] = [];
  let texts: string[] = [];
  let literal = '';
  const endLiteral = () => {
    if (literal !== '') texts.push(JSON.stringify(literal));
    literal = '';
  };
  const endText = () => {
    endLiteral();
    if (texts.length > 0) statements.push(`out.text(${texts.join(' + ')});`);
    texts = [];
  };
  for (const step of code) {
    if (typeof step === 'string') literal += step;
    else if (typeof step === 'function') {
      endText();
      statements.push(`${nameOf(step)}(out, row, request);`);
    } else if ('put' in step) {
      endText();
      statements.push(`${nameOf(step.put)}(out, ${columnOf(step.column)});`);
    } else {
      endLiteral();
      const values = step.columns.map(columnOf).join(', ');
      const value = step.compute ? `${nameOf(step.compute)}(${values}, request)` : values;
      texts.push(`${nameOf(step.write)}(${value})`);
    }
  }
  endText();
  const names = bound.map((_, at) => `$${at}`);
  const source = `return (out, row, request) => {\n${statements.join('\n')}\n};`;
  return new Function(...names, source)(...bound) as Writer;
}
