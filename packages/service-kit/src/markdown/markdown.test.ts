import { expect, test } from 'vitest';
import { LONGEST_MARKDOWN, lineToHtml, markdownToHtml } from './markdown.ts';
import type { Reference } from './references.ts';

const elsewhere = 'rel="nofollow noreferrer noopener" target="_blank"';

test('Markdown becomes HTML with anchors, task lists, tables and footnotes', async () => {
  expect(await markdownToHtml('# A b!\n\n- *b* https://example.com\n\n## A b')).toBe(
    [
      '<h1><a id="user-content-a-b" class="anchor" href="#a-b" aria-hidden="true"></a>A b!</h1>',
      `<ul>\n<li><em>b</em> <a href="https://example.com" ${elsewhere}>https://example.com</a></li>\n</ul>`,
      '<h2><a id="user-content-a-b-1" class="anchor" href="#a-b-1" aria-hidden="true"></a>A b</h2>\n',
    ].join('\n'),
  );
  const tasks = await markdownToHtml('1. [x] done\n2. [ ] open\n3. [y] none');
  expect(tasks).toContain('<ol class="task-list">');
  expect(tasks).toContain(
    '<li class="task-list-item"><input type="checkbox" class="task-list-item-checkbox" disabled checked> done</li>',
  );
  expect(tasks).toContain('disabled> open');
  expect(tasks).toContain('<li>[y] none</li>');
  expect(await markdownToHtml('|a|b|\n|-|:-:|\n|1|2|')).toContain('<td style="text-align:center">2</td>');
  expect(await markdownToHtml('A[^n]\n\n[^n]: B')).toMatch(/footnote-ref[\s\S]*<section class="footnotes">/);
});

test('uploads lie below their project, and links to this host are not elsewhere', async () => {
  const at = { projectUrl: 'https://forge.example/a/b', externalUrl: 'https://forge.example' };
  const file = `/uploads/${'0'.repeat(32)}/x.png`;
  expect(await markdownToHtml(`![x](${file}) [y](https://forge.example/a)`, at)).toBe(
    `<p><img src="https://forge.example/a/b${file}" alt="x"> <a href="https://forge.example/a">y</a></p>\n`,
  );
  expect(await markdownToHtml('[y](https://forge.example.evil/a)', at)).toContain(elsewhere);
});

const found = async (text: string) => {
  let named: readonly Reference[] = [];
  await markdownToHtml(text, {
    async resolve(references) {
      named = references;
      return new Map();
    },
  });
  return named.map(({ kind, project, name }) =>
    [kind, ...(project === null ? [] : [project]), name].join(' '),
  );
};

test.each([
  ['#1, !2.', ['issue 1', 'merge_request 2']],
  ['@ann-b. @a/b @deadbeef', ['user ann-b', 'user a/b', 'user deadbeef']],
  ['~bug, ~"in work" ~a::b: ~3', ['label bug', 'label in work', 'label a::b', 'label 3']],
  ['%1.0. %"v 2"', ['milestone 1.0', 'milestone v 2']],
  [
    'a/b#1 a/b/c!2 b#3 a/b@abcdef1',
    ['issue a/b 1', 'merge_request a/b/c 2', 'issue b 3', 'commit a/b abcdef1'],
  ],
  [`abcdef1 and ${'a'.repeat(40)}`, ['commit abcdef1', `commit ${'a'.repeat(40)}`]],
  ['`#1` [#2](x) \\#3 a@b.example http://x/#4 &#35;5 ##6 abcdef1-x', []],
  ['[#1]: https://x\n\n[#1] #2', ['issue 2']],
  ['> **#7**\n\n# #8', ['issue 7', 'issue 8']],
])('references in %j', async (text, expected) => {
  expect(await found(text)).toEqual(expected);
});

test('references become links with escaped texts, and what is not resolved stays text', async () => {
  const html = await markdownToHtml('#1 and #2 in ~"<b>"', {
    async resolve() {
      const link = { href: 'https://x/"><script>', title: '"><img>', attributes: { class: 'gfm' } };
      return new Map([['issue  1', { ...link, suffix: ' (closed)' }]]);
    },
  });
  expect(html).toBe(
    '<p><a href="https://x/&quot;&gt;&lt;script&gt;" title="&quot;&gt;&lt;img&gt;" data-original="#1" class="gfm">#1 (closed)</a> and #2 in ~&quot;&lt;b&gt;&quot;</p>\n',
  );
});

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<a href="javascript:alert(1)">x</a>',
  '[a](javascript:alert(1))',
  '[a](JaVaScRiPt&#58;alert(1))',
  '[a](java&Tab;script:alert(1))',
  '[a]( javascript:alert(1))',
  '[a](\u0001javascript:alert(1))',
  '![a](data:text/html;base64,PHNjcmlwdD4=)',
  '![a](javascript:alert(1))',
  '[a]: vbscript:x\n\n[a]',
  '<javascript:alert(1)>',
  '[a](data:text/html,<script>alert(1)</script>)',
  '[a](https://x "\\" onmouseover=\\"alert(1)")',
  '![" onerror="alert(1)](https://x)',
  '![a](https://x" onerror="alert(1))',
  '```" onload="alert(1)\nx\n```',
  '# <img src=x onerror=alert(1)>',
  '# " onclick="alert(1)',
  '[^" onclick="x]: <script>\n\n[^" onclick="x]',
  '- [x] <script>alert(1)</script>',
  '|<script>|\n|-|\n|<img src=x onerror=alert(1)>|',
  '~"\'><script>alert(1)</script>"',
  'https://x/"onmouseover="alert(1)',
  '<https://x/"onmouseover="alert(1)>',
  '<!--><script>alert(1)</script>-->',
  '<![CDATA[<script>alert(1)</script>]]>',
];
/** What tags there are, without what their attributes' values hold. */
const tagsOf = (html: string) => html.match(/<[a-z!/](?:[^>"]|"[^"]*")*>/gi) ?? [];
const OURS =
  /^<\/?(?:p|a|h1|img|pre|code|ul|li|input|table|thead|tbody|tr|th|td|sup|hr|section|ol|em|strong|blockquote)(?:\s+(?:href|id|class|src|alt|title|rel|target|type|disabled|checked|aria-hidden|style|data-original)(?:="[^"]*")?)*\s*>$/;

test.each(HOSTILE)('nothing runs in %j', async (text) => {
  for (const html of [await markdownToHtml(text, { resolve: async () => new Map() }), lineToHtml(text)]) {
    for (const tag of tagsOf(html)) {
      expect(tag).toMatch(OURS);
      expect(tag).not.toMatch(/(?:href|src)="\s*(?:javascript|vbscript|data):/i);
    }
    expect(html).not.toMatch(/<(?:script|svg|iframe|details|!)/i);
  }
});

const slow = (text: string) =>
  text.repeat(Math.ceil(LONGEST_MARKDOWN / text.length)).slice(0, LONGEST_MARKDOWN);

test.each([
  '*a ',
  'a/',
  'a.',
  '[',
  '![](',
  '~"',
  '%"a',
  '#1 ',
  '@a',
  'a/b#',
  'abcdef1 ',
  'ENG-1 ',
  '[^a]',
  '> ',
  '- [ ] ',
  '`',
  '_a*',
  '|a',
])(
  'a text of %j takes no long time',
  async (piece) => {
    const begun = performance.now();
    await markdownToHtml(slow(piece), { resolve: async () => new Map() });
    expect(performance.now() - begun).toBeLessThan(15_000);
  },
  20_000,
);

test('a text that would take long is escaped, and not rendered', async () => {
  const html = await markdownToHtml(`<b>${'*a '.repeat(40_000)}`);
  expect(html.slice(0, 25)).toBe('<pre>&lt;b&gt;*a *a *a *a');
  expect(lineToHtml(`<b>${'*a* '.repeat(1000)}`).slice(0, 20)).toBe('&lt;b&gt;*a* *a* *a*');
  expect(lineToHtml('a < *b*')).toBe('a &lt; <em>b</em>');
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
