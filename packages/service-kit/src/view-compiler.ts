import type { Code, Writer } from './view-code.ts';

/**
 * Makes JavaScript of a view: each column is read by its name, and what stands between two placeholders is one
 * expression. Steps that run one by one look columns up by a name that varies, which costs twice as much.
 * Nothing that a caller sent gets into the source: columns and literals are the declaration's and the instance's.
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
