import { expect, test } from 'vitest';
import { codeQuery } from './code-query.rules.ts';

test.each([
  ['start engine', 'start engine'],
  ['  Start ENGINE ', 'start engine'],
  ['start filename:*.rb engine', 'start engine'],
  ['extension:rb', ''],
  ['filename:', 'filename:'],
  ['http://a:80', 'http://a:80'],
])('the text of %j', (search, text) => {
  expect(codeQuery(search).text).toBe(text);
});

test.each([
  ['filename:engine.rb', ['lib/engine.rb', 'engine.rb'], ['engine.rb/a', 'lib/engine_rb']],
  ['filename:ENG*.rb', ['lib/Engine.rb'], ['lib/engine.rbs']],
  ['path:lib/*test', ['src/lib/a/test.c', 'lib/test'], ['test/lib/a']],
  ['extension:rb', ['a.rb', 'b/c.RB'], ['rb', 'a.erb', 'a.rb.txt']],
  ['extension:.rb', ['a.rb'], ['a.erb']],
  ['-extension:rb path:lib', ['lib/a.c'], ['lib/a.rb', 'src/a.c']],
  ['path:.*', ['a.b'], ['ab']],
])('%j takes %j, and not %j', (search, taken, left) => {
  const { accepts } = codeQuery(search);
  expect([...taken, ...left].filter(accepts)).toEqual(taken);
});

test('many stars take no longer', () => {
  const { accepts } = codeQuery(`path:${'a*'.repeat(2000)}b`);
  const began = performance.now();
  expect(accepts('a'.repeat(4000))).toBe(false);
  expect(performance.now() - began).toBeLessThan(200);
});
