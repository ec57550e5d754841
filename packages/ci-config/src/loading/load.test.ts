import { describe, expect, test } from 'vitest';
import type { IncludeReference } from '../ports.ts';
import { compileText, errorsOf, jobsOf, namesOf } from '../testing/sample.ts';

describe('include', () => {
  const job = (name: string) => `${name}: {script: make}`;

  test('a file, or several in every way to write them', async () => {
    const includes = {
      'a.yml': job('a'),
      '/ci/b.yaml': job('b'),
      'Jobs/Build.gitlab-ci.yml': job('c'),
      'https://x.example/d.yml?x=1': job('d'),
    };
    expect(await namesOf(`include: a.yml\n${job('own')}`, { includes })).toEqual(['a', 'own']);
    const text = `include:
- a.yml
- local: /ci/b.yaml
- template: Jobs/Build.gitlab-ci.yml
- remote: https://x.example/d.yml?x=1`;
    expect(await namesOf(text, { includes })).toEqual(['a', 'b', 'c', 'd']);
  });

  test('files of another project, at a ref, and what they include of their own', async () => {
    const asked: [IncludeReference, string][] = [];
    const includes = (reference: IncludeReference, from: { project: string }) => {
      asked.push([reference, from.project]);
      if (reference.kind === 'project')
        return {
          files: [
            { name: `${reference.project}:${reference.path}`, text: 'include: inner.yml\na: {script: x}' },
          ],
          origin: { project: reference.project, sha: 'abc' },
        };
      return { files: [{ name: `${from.project}:inner.yml`, text: job('inner') }] };
    };
    const text = 'include: {project: acme/templates, ref: v1, file: [one.yml, two.yml]}';
    expect(await namesOf(text, { includes })).toEqual(['inner', 'a']);
    expect(asked).toEqual([
      [{ kind: 'project', project: 'acme/templates', ref: 'v1', path: 'one.yml' }, 'acme/web'],
      [{ kind: 'local', path: 'inner.yml' }, 'acme/templates'],
      [{ kind: 'project', project: 'acme/templates', ref: 'v1', path: 'two.yml' }, 'acme/web'],
      [{ kind: 'local', path: 'inner.yml' }, 'acme/templates'],
    ]);
  });

  test('later files replace earlier ones, and the file that includes replaces them all', async () => {
    const includes = {
      'a.yml': 'j: {script: [a], variables: {A: a, B: a, C: a}, tags: [a]}',
      'b.yml': 'j: {variables: {B: b, C: b}, tags: [b]}',
    };
    const [j] = await jobsOf('include: [a.yml, b.yml]\nj: {variables: {C: own}}', { includes });
    expect(j).toMatchObject({ script: ['a'], tags: ['b'] });
    expect(j?.variables.map(({ key, value }) => `${key}=${value}`)).toEqual(['A=a', 'B=b', 'C=own']);
  });

  test('a path with stars is several files', async () => {
    const includes = (reference: IncludeReference) => {
      expect(reference).toEqual({ kind: 'local', path: 'ci/*.yml' });
      return { files: ['a', 'b'].map((name) => ({ name: `ci/${name}.yml`, text: job(name) })) };
    };
    expect(await namesOf('include: ci/*.yml', { includes })).toEqual(['a', 'b']);
  });

  test('variables in names, and rules', async () => {
    const includes = { 'ci/main.yml': job('main'), 'never.yml': job('never'), 'docker.yml': job('docker') };
    const text = `include:
- local: ci/$CI_COMMIT_BRANCH.yml
- local: never.yml
  rules: [{if: $CI_COMMIT_BRANCH == "other"}]
- local: missing.yml
  rules: [{if: $CI_COMMIT_BRANCH, when: never}]
- local: docker.yml
  rules: [{exists: [Dockerfile]}]`;
    expect(await namesOf(text, { includes, files: ['Dockerfile'] })).toEqual(['main', 'docker']);
    expect(await namesOf(text, { includes })).toEqual(['main']);
  });

  test('the same file twice is no loop', async () => {
    const includes = { 'a.yml': 'include: c.yml', 'b.yml': 'include: c.yml', 'c.yml': job('c') };
    expect(await namesOf('include: [a.yml, b.yml]', { includes })).toEqual(['c']);
  });

  const yml = (text: string) => ({ 'a.yml': text });
  test.each<[string, string, Record<string, string>, string]>([
    ['a missing file', 'include: b.yml', {}, 'Local file `b.yml` does not exist! (.gitlab-ci.yml, line 1)'],
    [
      'a missing template',
      'include: {template: X.gitlab-ci.yml}',
      {},
      'Template file `X.gitlab-ci.yml` is empty or does not exist! (.gitlab-ci.yml, line 1)',
    ],
    [
      'a template of another name',
      'include: {template: X.yml}',
      {},
      'Template file `X.yml` is not a valid location! (.gitlab-ci.yml, line 1)',
    ],
    [
      'a file that is no YAML by its name',
      'include: a.txt',
      {},
      'Included file `a.txt` does not have YAML extension! (.gitlab-ci.yml, line 1)',
    ],
    [
      'an address that is none',
      'include: {remote: "x.yml"}',
      {},
      'Remote file `x.yml` does not have a valid address! (.gitlab-ci.yml, line 1)',
    ],
    [
      'a scheme that is not fetched',
      'include: {remote: "file:///etc/x.yml"}',
      {},
      'Remote file `file:///etc/x.yml` does not have a valid address! (.gitlab-ci.yml, line 1)',
    ],
    [
      'an empty file',
      'include: a.yml',
      yml(' '),
      'Included file `a.yml` is empty or does not exist! (.gitlab-ci.yml, line 1)',
    ],
    [
      'a list',
      'include: a.yml',
      yml('[x]'),
      'Included file `a.yml` does not have valid YAML syntax! (a.yml, line 1)',
    ],
    [
      'an error in the file',
      'include: a.yml',
      yml('\nj: {script: x, tag: []}'),
      'jobs:j config contains unknown keys: tag (a.yml, line 2)',
    ],
    [
      'two accessors',
      'include: {local: a.yml, template: X.gitlab-ci.yml}',
      {},
      'Include needs to match exactly one accessor of local, project and file, template and remote; it has local, template (.gitlab-ci.yml, line 1)',
    ],
    [
      'a project without a file',
      'include: {project: a/b}',
      {},
      'Include needs to match exactly one accessor of local, project and file, template and remote; it has project (.gitlab-ci.yml, line 1)',
    ],
    [
      'an unknown key',
      'include: {local: a.yml, inputs: {}}',
      {},
      'include config contains unknown keys: inputs (.gitlab-ci.yml, line 1)',
    ],
    [
      'a number',
      'include: 5',
      {},
      'include config should be a string, a hash or an array of them (.gitlab-ci.yml, line 1)',
    ],
    [
      'a loop',
      'include: a.yml',
      yml('include: a.yml'),
      'Include `a.yml` was already included! (.gitlab-ci.yml → a.yml → a.yml) (a.yml, line 1)',
    ],
  ])('%s is told', async (_name, text, includes, error) => {
    expect((await errorsOf(text, { includes }))[0]).toBe(error);
  });

  test.each([
    [
      'no project',
      'Project `a/b` not found or access denied! Make sure any includes in the pipeline configuration are correctly defined.',
    ],
    ['no ref', 'Project `a/b` reference `v1` does not exist!'],
    ['no file', 'Project `a/b` file `x.yml` does not exist!'],
  ] as const)('%s is told of a file of another project', async (refused, error) => {
    const [told] = await errorsOf('include: {project: a/b, ref: v1, file: x.yml}', {
      includes: () => ({ refused }),
    });
    expect(told).toBe(`${error} (.gitlab-ci.yml, line 1)`);
  });

  test('why a remote file was not fetched is told', async () => {
    const includes = () => ({
      refused: 'not fetched' as const,
      reason: 'this instance fetches no remote files',
    });
    expect(await errorsOf('include: https://x.example/a.yml', { includes })).toEqual([
      'Remote file `https://x.example/a.yml` could not be fetched because this instance fetches no remote files! (.gitlab-ci.yml, line 1)',
    ]);
  });

  test('a hundred files are read, and not one more', async () => {
    const includes = () => ({ files: [{ name: 'x.yml', text: job('x') }] });
    const many = (count: number) => `include: [${'x.yml,'.repeat(count)}]`;
    expect(await namesOf(many(100), { includes })).toEqual(['x']);
    expect(await errorsOf(many(101), { includes })).toEqual([
      'Maximum of 100 nested includes are allowed! (.gitlab-ci.yml, line 1)',
    ]);
  });

  test('files that include ever new ones end at a hundred', async () => {
    let count = 0;
    const includes = () => {
      count += 1;
      return { files: [{ name: `${count}.yml`, text: 'include: x.yml' }] };
    };
    expect(await errorsOf('include: x.yml', { includes })).toEqual([
      expect.stringContaining('Maximum of 100'),
    ]);
    expect(count).toBe(101);
  });

  test('the length of all files together is bounded', async () => {
    const includes = () => ({ files: [{ name: 'x.yml', text: `${job('x')} #${'x'.repeat(600)}` }] });
    const limits = { characters: 1000 };
    expect(await errorsOf('include: x.yml', { includes, limits })).toEqual([]);
    expect(await errorsOf('include: [x.yml, x.yml]', { includes, limits })).toEqual([
      expect.stringContaining('The configuration is too big'),
    ]);
  });
});

describe('extends', () => {
  test('mappings are merged, lists replaced, and null takes away', async () => {
    const [j] = await jobsOf(`
.base: {script: [a, b], tags: [x], variables: {A: base, B: base}, artifacts: {paths: [p], expire_in: 1 day}, image: ruby}
j: {extends: .base, script: [c], variables: {B: own}, artifacts: {expire_in: 2 days}, image: null}`);
    expect(j).toMatchObject({
      script: ['c'],
      tags: ['x'],
      image: null,
      artifacts: { paths: ['p'], expireIn: 172_800 },
    });
    expect(j?.variables.map(({ key, value }) => `${key}=${value}`)).toEqual(['A=base', 'B=own']);
  });

  test('of nothing, or of an empty list, is as good as none', async () => {
    expect(await namesOf('j: {extends: , script: x}\nk: {extends: [], script: x}')).toEqual(['j', 'k']);
  });

  test('of several the last counts most, and chains are followed', async () => {
    const [j] = await jobsOf(`
.a: {script: [a], tags: [a], stage: build}
.b: {extends: .a, tags: [b]}
.c: {stage: deploy}
j: {extends: [.b, .c]}`);
    expect(j).toMatchObject({ script: ['a'], tags: ['b'], stage: 'deploy' });
  });

  test('ten levels are followed, eleven are refused', async () => {
    const chain = (count: number) =>
      `.l0: {script: x}\n${Array.from({ length: count }, (_, at) => `.l${at + 1}: {extends: .l${at}}\n`).join('')}j: {extends: .l${count}}`;
    expect(await errorsOf(chain(9))).toEqual([]);
    expect(await errorsOf(chain(10))).toEqual([expect.stringContaining('nesting too deep in `extends`')]);
    expect(await errorsOf(chain(3000))).toEqual([expect.stringContaining('nesting too deep in `extends`')]);
  });

  test.each([
    ['j: {extends: .gone, script: x}', 'j: unknown keys in `extends` (.gone) (.gitlab-ci.yml, line 1)'],
    [
      'stages: [test]\nj: {extends: stages, script: x}',
      'j: invalid base hashes in `extends` (stages) (.gitlab-ci.yml, line 2)',
    ],
    [
      '.a: {extends: .b}\n.b: {extends: .a}',
      '.a: circular dependency detected in `extends` (.gitlab-ci.yml, line 1)',
    ],
    ['j: {extends: j, script: x}', 'j: circular dependency detected in `extends` (.gitlab-ci.yml, line 1)'],
    [
      'j: {extends: {a: b}, script: x}',
      'j: `extends` should be a name of a job, or a list of names (.gitlab-ci.yml, line 1)',
    ],
  ])('%j is refused', async (text, error) => {
    expect(await errorsOf(text)).toEqual([error]);
  });

  test('thousands of jobs that extend one large one are refused while they are merged', async () => {
    const large = Array.from({ length: 3000 }, (_, at) => `V${at}: ${'x'.repeat(20)}`).join(',');
    const text = `.a: {script: x, variables: {${large}}}\n${Array.from({ length: 3000 }, (_, at) => `j${at}: {extends: .a}\n`).join('')}`;
    expect(await errorsOf(text)).toEqual([expect.stringContaining('too big')]);
  });
});

describe('!reference', () => {
  test('stands for a list in a list, a whole value, or one variable', async () => {
    const [j] = await jobsOf(`
.a: {script: [one, two], variables: {URL: x, PORT: 5}, rules: [{if: $NEVER}, {if: $CI_COMMIT_BRANCH}]}
.b: {script: [zero, !reference [.a, script]]}
j:
  script: [!reference [.b, script], three]
  variables: {URL: !reference [.a, variables, URL]}
  rules: [!reference [.a, rules]]`);
    expect(j?.script).toEqual(['zero', 'one', 'two', 'three']);
    expect(j?.variables.map(({ value }) => value)).toEqual(['x']);
  });

  test('leads through another reference, and into another file', async () => {
    const includes = { 'a.yml': '.shared: {vars: {A: 1}}' };
    const [j] = await jobsOf(
      'include: a.yml\n.x: {variables: !reference [.shared, vars]}\nj: {script: x, variables: {B: !reference [.x, variables, A]}}',
      { includes },
    );
    expect(j?.variables.map(({ value }) => value)).toEqual(['1']);
  });

  test('is resolved after extends', async () => {
    const [j] = await jobsOf('.a: {script: [a]}\n.b: {script: [!reference [.a, script]]}\nj: {extends: .b}');
    expect(j?.script).toEqual(['a']);
  });

  test.each([
    ['j: {script: !reference [.gone, script]}', '!reference [".gone","script"] could not be found'],
    ['j: {script: !reference [j, script, 0]}', 'is part of a circular chain'],
    ['j: {script: !reference [j, script]}', '!reference ["j","script"] is part of a circular chain'],
    ['a: !reference [b, x]\nb: {x: !reference [a]}', 'is part of a circular chain'],
    [
      `${Array.from({ length: 12 }, (_, at) => `.r${at}: {s: !reference [.r${at + 1}, s]}`).join('\n')}\n.r12: {s: x}`,
      'is nested too deeply',
    ],
  ])('%j is refused', async (text, error) => {
    expect(await errorsOf(text)).toEqual([expect.stringContaining(error)]);
  });

  test('references of references of references are refused for what they stand for', async () => {
    const levels = Array.from(
      { length: 9 },
      (_, at) => `.l${at + 1}: {s: [${`!reference [.l${at}, s],`.repeat(30)}]}`,
    );
    expect(await errorsOf(`.l0: {s: [${'text,'.repeat(30)}]}\n${levels.join('\n')}\nj: {script: x}`)).toEqual(
      [expect.stringContaining('too big')],
    );
  });
});

test('the merged configuration is one file, without include and extends, that compiles to the same jobs', async () => {
  const includes = { 'a.yml': '.base: {script: [a], tags: [x], variables: {A: 1.10, B: "yes"}}' };
  const text =
    'include: a.yml\nj:\n  extends: .base\n  stage: build\n  needs: []\nk:\n  script: [!reference [.base, script], "b: c"]';
  const compiled = await compileText(text, { includes });
  expect(compiled.mergedYaml()).toBe(`---
.base:
  script:
  - a
  tags:
  - x
  variables:
    A: 1.10
    B: "yes"
j:
  script:
  - a
  tags:
  - x
  variables:
    A: 1.10
    B: "yes"
  stage: build
  needs: []
k:
  script:
  - - a
  - "b: c"
`);
  expect(await jobsOf(compiled.mergedYaml()!)).toEqual(await jobsOf(text, { includes }));
});
