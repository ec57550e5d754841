import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';

let forgelog: Forgelog;
beforeAll(async () => {
  forgelog = await startForgelog();
});
afterAll(() => forgelog.stop());

async function projectWith(name: string, files: Readonly<Record<string, string>>, more: object = {}) {
  const { body: project } = await forgelog.post('/projects', { name, ...more });
  const actions = Object.entries(files).map(([file_path, content]) => ({
    action: 'create',
    file_path,
    content,
  }));
  const committed = await forgelog.post(`/projects/${project.id}/repository/commits`, {
    ...{ branch: 'main', commit_message: 'Begin', actions },
  });
  expect(committed.status).toBe(201);
  return project.id as number;
}

test('a committed configuration is read with its includes, conditions on files, and another path', async () => {
  const shared = await projectWith('shared', { 'templates/base.yml': '.base: {script: make}' });
  const id = await projectWith('linted', {
    '.gitlab-ci.yml': [
      'include: [{local: "/ci/*.yml"}, {project: root/shared, file: /templates/base.yml}]',
      'c: {extends: .base, rules: [{exists: ["src/**/*.c"]}]}',
      'none: {extends: .base, rules: [{exists: [Makefile]}]}',
    ].join('\n'),
    'ci/one.yml': 'one: {script: x}',
    'ci/two.yml': 'two: {script: x}',
    'src/deep/a.c': '',
    'other.yml': 'j: {script: x, only: [tags]}',
  });
  const checked = await forgelog.get(`/projects/${id}/ci/lint?dry_run=true`);
  expect(checked).toMatchObject({ status: 200, body: { valid: true, errors: [], warnings: [] } });
  for (const job of ['one:', 'two:', 'c:']) expect(checked.body.merged_yaml).toContain(job);

  const user = await createUser(forgelog);
  const path = `/projects/${id}/members`;
  expect((await forgelog.post(path, { user_id: user.id, access_level: 30 })).status).toBe(201);
  const asUser = await forgelog.get(`/projects/${id}/ci/lint`, { token: user.token });
  expect(asUser.body.errors).toEqual([
    'Project `root/shared` not found or access denied! Make sure any includes in the pipeline configuration are correctly defined. (.gitlab-ci.yml, line 1)',
  ]);
  expect((await forgelog.put(`/projects/${shared}`, { visibility: 'public' })).status).toBe(200);
  const asAnyone = await forgelog.get(`/projects/${id}/ci/lint`, { token: user.token });
  expect(asAnyone.body.valid).toBe(true);

  expect((await forgelog.put(`/projects/${id}`, { ci_config_path: 'other.yml' })).status).toBe(200);
  const elsewhere = await forgelog.get(`/projects/${id}/ci/lint?dry_run=true`);
  expect(elsewhere.body).toMatchObject({ valid: false, errors: ['No stages / jobs for this pipeline.'] });
});

test('a large text is answered, and others are answered meanwhile', async () => {
  const content = Array.from({ length: 15_000 }, (_, at) => `.j${at}: {a: [1]}`).join('\n');
  let answered = false;
  const checking = forgelog.post('/ci/lint', { content }).then((reply) => {
    answered = true;
    return reply;
  });
  let others = 0;
  while (!answered) {
    expect((await forgelog.get('/version')).status).toBe(200);
    others += 1;
  }
  expect((await checking).body).toMatchObject({
    status: 'invalid',
    errors: [expect.stringContaining('should contain at least one visible job')],
  });
  expect(others).toBeGreaterThan(5);
});
