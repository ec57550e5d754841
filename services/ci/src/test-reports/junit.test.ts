import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { gzipMembers } from '../artifacts/gzip-members.ts';
import { JUNIT_LIMITS, readJUnit } from './junit.ts';

const report = (inside: string) => `<?xml version="1.0" encoding="UTF-8"?><testsuites>${inside}</testsuites>`;
const passed = { status: 'success', classname: 'c', executionTime: 0, systemOutput: null };

describe('a JUnit report', () => {
  test('tells the state, the time and the output of each case', async () => {
    const text = report(`<testsuite name="s" tests="6">
      <testcase classname="c" name="passes" time="1.25"><system-out>noise</system-out></testcase>
      <testcase classname="c" name="fails" time="1,000.5"><failure message="short" type="E">line 1
line &lt;2&gt;</failure></testcase>
      <testcase classname="c" name="says it in a message"><failure message="only &#x201c;this&#8221;"/></testcase>
      <testcase classname="c" name="errs"><error><![CDATA[<raw>]]></error></testcase>
      <testcase classname="c" name="skips"><skipped/></testcase>
      <testcase name="has no class" time="soon"/>
    </testsuite>`);
    expect(await readJUnit(text)).toEqual([
      { ...passed, name: 'passes', executionTime: 1.25 },
      { ...passed, status: 'failed', name: 'fails', executionTime: 1000.5, systemOutput: 'line 1\nline <2>' },
      { ...passed, status: 'failed', name: 'says it in a message', systemOutput: 'only “this”' },
      { ...passed, status: 'error', name: 'errs', systemOutput: '<raw>' },
      { ...passed, status: 'skipped', name: 'skips' },
      { ...passed, name: 'has no class', classname: '' },
    ]);
  });

  test('may nest suites, or have one alone', async () => {
    const nested =
      '<testsuite><testsuite><testcase name="a" classname="c"/></testsuite><testcase name="b" classname="c"/></testsuite>';
    const expected = [
      { ...passed, name: 'a' },
      { ...passed, name: 'b' },
    ];
    expect(await readJUnit(report(nested))).toEqual(expected);
    expect(await readJUnit(nested)).toEqual(expected);
  });

  test('counts a case that fails and is skipped as failed, with the text of the failure', async () => {
    const text = report(
      '<testcase name="a" classname="c"><skipped/><failure>why</failure><error>later</error></testcase>',
    );
    expect(await readJUnit(text)).toMatchObject([{ status: 'failed', systemOutput: 'why' }]);
  });

  test('may be empty', async () => {
    expect(await readJUnit('<testsuites/>')).toEqual([]);
  });

  test.each([
    ['nothing', ''],
    ['no XML', 'all tests passed'],
    ['an element that is not closed', '<testsuites><testsuite>'],
    ['two roots', '<a/><b/>'],
    ['an entity of its own', '<!DOCTYPE a [<!ENTITY e "text">]><testsuites>&e;</testsuites>'],
  ])('cannot be %s', async (_, text) => {
    await expect(readJUnit(text)).rejects.toThrow();
  });

  test('does not grow by entities, and reads no file', async () => {
    const laughs = Array.from({ length: 20 }, (_, at) => `<!ENTITY l${at + 1} "&l${at};&l${at};">`).join('');
    const bomb = `<!DOCTYPE a [<!ENTITY l0 "ha">${laughs}]><testsuites><testcase name="&l20;"/></testsuites>`;
    await expect(readJUnit(bomb)).rejects.toThrow(/undefined entity/);
    const file = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><testsuites>&x;</testsuites>';
    await expect(readJUnit(file)).rejects.toThrow(/undefined entity/);
  });

  test('is bounded in cases, depth and length of texts', async () => {
    const limits = { cases: 3, depth: 5, nameLength: 10, outputLength: 20 };
    const one = `<testcase name="${'n'.repeat(50)}"><failure>${'f'.repeat(50)}</failure></testcase>`;
    const [found] = await readJUnit(report(one), limits);
    expect(found).toMatchObject({ name: 'n'.repeat(10), systemOutput: 'f'.repeat(20) });
    await expect(readJUnit(report(one.repeat(4)), limits)).rejects.toThrow('more than 3 test cases');
    const deep = `${'<a>'.repeat(6)}${'</a>'.repeat(6)}`;
    await expect(readJUnit(deep, limits)).rejects.toThrow('deeper than 5');
  });

  test('lets other requests have their turn', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    const cases = '<testcase name="n" classname="c"><failure>text</failure></testcase>'.repeat(50_000);
    expect(await readJUnit(report(cases))).toHaveLength(50_000);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
    expect(JUNIT_LIMITS.cases).toBe(100_000);
  });
});

describe('a packed report', () => {
  const all = async (bytes: Buffer, most = 1000) =>
    (await Array.fromAsync(gzipMembers(bytes, most))).map(String);

  test('is one file, or several one after the other', async () => {
    expect(await all(gzipSync('one'))).toEqual(['one']);
    expect(await all(Buffer.concat([gzipSync('one'), gzipSync(''), gzipSync('two')]))).toEqual([
      'one',
      '',
      'two',
    ]);
    expect(await all(Buffer.alloc(0))).toEqual([]);
  });

  test('may have names, comments and more in its head', async () => {
    const plain = gzipSync('named');
    const head = Buffer.from(plain.subarray(0, 10));
    head[3] = 2 | 4 | 8 | 16;
    const more = Buffer.from('\x03\x00abcjunit.xml\0a comment\0\x12\x34', 'latin1');
    expect(await all(Buffer.concat([head, more, plain.subarray(10), plain]))).toEqual(['named', 'named']);
  });

  test.each([
    ['not gzip', Buffer.from('<testsuites/>')],
    ['cut off in its data', gzipSync('some text').subarray(0, 15)],
    ['cut off in its end', gzipSync('some text').subarray(0, -3)],
    ['followed by something else', Buffer.concat([gzipSync('text'), Buffer.from('something else')])],
  ])('cannot be %s', async (_, bytes) => {
    await expect(all(bytes)).rejects.toThrow();
  });

  test('does not unpack to more than its bound', async () => {
    await expect(all(gzipSync('x'.repeat(100_000)), 1000)).rejects.toThrow();
    await expect(
      all(Buffer.concat([gzipSync('x'.repeat(600)), gzipSync('x'.repeat(600))])),
    ).rejects.toThrow();
  });
});
