import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { compileText, errorsOf, jobsOf, namesOf } from './testing/sample.ts';

describe('sizes', () => {
  test('a hundred thousand jobs are refused for their number', async () => {
    const jobs = (count: number) => Array.from({ length: count }, (_, at) => `${at}: {}`).join('\n');
    expect(await errorsOf(jobs(100_000), { limits: { characters: 2_000_000 } })).toEqual([
      'Pipeline has too many jobs! Requested 100000, but the limit is 5000. (.gitlab-ci.yml, line 5001)',
    ]);
  });

  test('copies of parallel jobs count', async () => {
    const text = Array.from({ length: 30 }, (_, at) => `j${at}: {script: x, parallel: 200}`).join('\n');
    expect(await errorsOf(text)).toEqual([expect.stringContaining('Pipeline has too many jobs!')]);
    expect(await jobsOf(text, { limits: { jobs: 6000 } })).toHaveLength(6000);
  });

  test('a text that is too long is not parsed at all', async () => {
    expect(await errorsOf(`j: {script: "${'x'.repeat(1024 * 1024)}"}`)).toEqual([
      'The configuration is too big: all its files together may have 1048576 characters (.gitlab-ci.yml, line 1)',
    ]);
  });

  test('an alias bomb is refused wherever it stands', async () => {
    const levels = Array.from(
      { length: 20 },
      (_, at) => `.l${at + 1}: &l${at + 1} [${`*l${at},`.repeat(9)}]`,
    );
    const text = `.l0: &l0 text\n${levels.join('\n')}\nj: {script: *l20}`;
    expect(await errorsOf(text)).toEqual([expect.stringContaining('The parsed YAML is too big')]);
  });

  test('variables that each of many jobs takes over are counted', async () => {
    const variables = Array.from({ length: 2000 }, (_, at) => `V${at}: x`).join(',');
    const jobs = Array.from({ length: 2000 }, (_, at) => `j${at}: {script: x, variables: {A: x}}`).join('\n');
    expect(await errorsOf(`variables: {${variables}}\n${jobs}`)).toEqual([
      expect.stringContaining('The jobs have too many variables'),
    ]);
  });

  test('too many comparisons of paths count as a match, and are warned of', async () => {
    const text = 'j: {script: x, rules: [{changes: ["a*"]}]}\nk: {script: x, rules: [{changes: ["b*"]}]}';
    const compiled = await compileText(text, { changed: ['x', 'y', 'z'], limits: { pathComparisons: 4 } });
    const plan = await compiled.plan();
    expect(plan.kind === 'pipeline' && plan.pipeline.jobs.map(({ name }) => name)).toEqual(['k']);
    expect(plan.warnings.map(({ message }) => message)).toEqual([
      'there are too many paths to compare with b*; it counts as matching',
    ]);
  });

  test('an empty text, and one with comments alone', async () => {
    expect(await errorsOf('')).toEqual(['Please provide content of .gitlab-ci.yml (.gitlab-ci.yml, line 1)']);
    expect(await errorsOf('# nothing')).toEqual(['Invalid configuration format (.gitlab-ci.yml, line 1)']);
    expect(await errorsOf('- list')).toEqual(['Invalid configuration format (.gitlab-ci.yml, line 1)']);
  });
});

describe('any text ends with a result or with errors', () => {
  const words = [
    'j:',
    '.h:',
    'script:',
    'stage:',
    'needs:',
    'rules:',
    'if:',
    'extends:',
    'variables:',
    'parallel:',
    'matrix:',
    'trigger:',
    'include:',
    'default:',
    'image:',
    'services:',
    'cache:',
    'artifacts:',
    'reports:',
    'environment:',
    'only:',
    'except:',
    'workflow:',
    'when:',
    'retry:',
    'release:',
    'inherit:',
    'allow_failure:',
    'stages:',
    'dependencies:',
    '- ',
    '  ',
    '\n',
    '\n  ',
    '\n    - ',
    ' x',
    ' [a, b]',
    ' {a: b}',
    ' {',
    ' [',
    '}',
    ']',
    ' &a',
    ' *a',
    ' !reference [.h, script]',
    ' <<: *a',
    '"',
    "'",
    '|',
    '>',
    '#',
    ' 5',
    ' yes',
    ' ~',
    ' $A',
    ' "/x/"',
    '---',
    '?',
    ': ',
    ',',
    '%',
    '@',
    '\t',
    '\u0000',
    '\uFEFF',
    '😀',
  ];
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.array(fc.constantFrom(...words), { maxLength: 60 }).map((parts) => parts.join('')),
  );

  test('of words of the language in any order', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (one) => {
        const compiled = await compileText(one, { includes: { a: 'x: {script: y}' } });
        expect(compiled.configuration === null).toBe(compiled.errors.length > 0);
        for (const { line, message } of compiled.errors)
          expect(message !== '' && (line === null || line > 0)).toBe(true);
        await compiled.plan();
        compiled.mergedYaml();
      }),
      { numRuns: 1000 },
    );
  });

  test('of values that no author would give to a keyword', async () => {
    const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom(
          null,
          true,
          false,
          0,
          -1,
          1.5,
          1e99,
          '',
          ' ',
          'x',
          '.h',
          'j',
          '$A',
          '/x/',
          '/[/',
          'a'.repeat(300),
          '1 day',
          'constructor',
          '__proto__',
        ),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(
          fc.constantFrom(
            ...words.filter((word) => /^\w+:$/.test(word)).map((word) => word.slice(0, -1)),
            'max',
            'name',
            'paths',
            'job',
            'project',
            'file',
            'key',
            'links',
          ),
          tie('value'),
          { maxKeys: 3 },
        ),
      ),
    })).value;
    const keywords = words.filter((word) => /^\w+:$/.test(word)).map((word) => word.slice(0, -1));
    const job = fc.dictionary(fc.constantFrom(...keywords), value, { maxKeys: 4 });
    const root = fc.record(
      { j: job, '.h': job, default: job, variables: value, workflow: value, stages: value, include: value },
      { requiredKeys: ['j'] },
    );
    await fc.assert(
      fc.asyncProperty(root, async (one) => {
        const compiled = await compileText(JSON.stringify({ ...one, k: { script: 'x' } }));
        await compiled.plan();
      }),
      { numRuns: 500 },
    );
  });

  test('large and hostile ones', async () => {
    const hostile = [
      (n: number) => '?'.repeat(n),
      (n: number) => '\n'.repeat(n),
      (n: number) => `a: ${'"x" '.repeat(n)}`,
      (n: number) => 'a: b\n'.repeat(n),
      (n: number) => `{${'a,'.repeat(n)}}`,
      (n: number) => `[${'&a x,*a,'.repeat(n / 4)}]`,
      (n: number) => `j: {script: x, rules: [{if: '${'('.repeat(n)}'}]}`,
      (n: number) => `j: {script: x, only: ["/${'(a*)*'.repeat(n / 8)}/"]}`,
      (n: number) => `a: |\n${' x\n'.repeat(n)}`,
      (n: number) => '#\n'.repeat(n),
      (n: number) => `j: {script: x, variables: {A: "${'$B%C%'.repeat(n)}"}, rules: [{if: $A}]}`,
    ];
    for (const make of hostile) {
      const compiled = await compileText(make(20_000));
      await compiled.plan();
      expect(compiled.errors.length).toBeLessThanOrEqual(101);
    }
  });
});

test('what is read is what YAML says, in order', async () => {
  const name = fc
    .stringMatching(/^[a-z][a-z0-9 _.:/-]{0,20}[a-z]$/)
    .filter(
      (one) =>
        ![
          'default',
          'include',
          'variables',
          'stages',
          'types',
          'workflow',
          'image',
          'services',
          'cache',
        ].includes(one),
    );
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(name, { minLength: 1, maxLength: 8 }), async (names) => {
      const text = names.map((one) => `${JSON.stringify(one)}: {script: make}`).join('\n');
      expect(await namesOf(text)).toEqual(Object.keys(parse(text)));
    }),
    { numRuns: 100 },
  );
});
