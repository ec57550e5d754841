import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { stepsOf } from './steps.ts';
import { jobsOf } from './testing/sample.ts';

const steps = async (keywords: string) => stepsOf((await jobsOf(`j:\n  script: make\n  ${keywords}`))[0]!);

test('before_script is part of the script, after_script runs always and may fail', async () => {
  expect(await steps('before_script: [a, b]\n  after_script: [c]')).toEqual([
    { name: 'script', script: ['a', 'b', 'make'], when: 'on_success', allowFailure: false },
    { name: 'after_script', script: ['c'], when: 'always', allowFailure: true },
  ]);
});

test('a job that starts a pipeline has no steps', async () => {
  expect(stepsOf((await jobsOf('j: {trigger: a/b}'))[0]!)).toEqual([]);
});

test('a release is a command, whose texts a shell reads as they are, with variables expanded', async () => {
  const [, release] = await steps(`release:
    tag_name: $CI_COMMIT_TAG
    name: 'A "quoted" name'
    description: 'back \\ slash and \`date\`'
    milestones: [m1, m2]
    assets: {links: [{name: bin, url: "https://x.example/b", link_type: package}]}`);
  expect(release).toMatchObject({ name: 'release', when: 'on_success', allowFailure: false });
  const [command] = release!.script;
  expect(command).toMatch(/^release-cli create /);
  const shown = execFileSync('sh', ['-c', `printf '%s\\n' ${command!.replace('release-cli create ', '')}`], {
    env: { CI_COMMIT_TAG: 'v1' },
    encoding: 'utf8',
  });
  expect(shown.trimEnd().split('\n')).toEqual([
    '--name',
    'A "quoted" name',
    '--description',
    'back \\ slash and `date`',
    '--tag-name',
    'v1',
    '--milestone',
    'm1',
    '--milestone',
    'm2',
    '--assets-link',
    '{"name":"bin","url":"https://x.example/b","link_type":"package"}',
  ]);
});
