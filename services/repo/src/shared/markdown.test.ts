import { expect, test } from 'vitest';
import { markdownToHtml } from './markdown.ts';

test('Markdown becomes HTML, and nothing in it runs', async () => {
  expect(await markdownToHtml('# A\n\n- *b* https://example.com')).toBe(
    '<h1>A</h1>\n<ul>\n<li><em>b</em> <a href="https://example.com">https://example.com</a></li>\n</ul>\n',
  );
  for (const text of [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[a](javascript:alert(1))',
    '[a](JaVaScRiPt&#58;alert(1))',
    '![a](data:text/html;base64,PHNjcmlwdD4=)',
    '[a]: vbscript:x\n\n[a]',
    '<javascript:alert(1)>',
  ])
    expect(await markdownToHtml(text), text).not.toMatch(
      /<script|<img|<[^>]+(on\w+=|(java|vb)script:|data:text)/i,
    );
});

test('a text that would take long is escaped, and not rendered', async () => {
  const html = await markdownToHtml(`<b>${'*a '.repeat(40_000)}`);
  expect(html.slice(0, 25)).toBe('<pre>&lt;b&gt;*a *a *a *a');
});

test('others are served between two texts', async () => {
  let turns = 0;
  const other = setInterval(() => {
    turns += 1;
  }, 0);
  for (let at = 0; at < 20; at += 1) await markdownToHtml(`${at} ${'![a](b) '.repeat(1000)}`);
  clearInterval(other);
  expect(turns).toBeGreaterThan(5);
});
