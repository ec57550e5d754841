import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasBrowser, shownInBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';

let forgelog: Forgelog;
beforeAll(async () => {
  forgelog = await startForgelog();
});
afterAll(() => forgelog.stop());

test('the page of a job is the same for everybody, and only to be read', async () => {
  const page = await fetch(`${forgelog.url}/group/sub/no-project/-/jobs/7`);
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
  const html = await page.text();
  expect(html).not.toContain('no-project');
  const parts = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path!);
  for (const path of [...parts, '/-/job-page/log-lines.js', '/-/job-page/ansi_up.js'])
    expect((await fetch(forgelog.url + path)).status).toBe(200);
  expect((await fetch(`${forgelog.url}/group/project/-/jobs/7`, { method: 'POST' })).status).toBe(405);
  for (const path of ['/group/project/-/jobs/x', '/-/jobs/7', '/-/job-page/page.ts'])
    expect((await fetch(forgelog.url + path)).status).toBe(404);
});

test.runIf(hasBrowser)('a browser shows the log of a job, and runs nothing that is in it', async () => {
  const { body: project } = await forgelog.post('/projects', { name: 'Shown', visibility: 'public' });
  const id = project.id as number;
  const content = 'build: {script: make}';
  const commit = { branch: 'main', commit_message: 'Build', content };
  await forgelog.post(`/projects/${id}/repository/files/.gitlab-ci.yml`, commit);
  const { body: reset } = await forgelog.post(`/projects/${id}/runners/reset_registration_token`);
  const { body: runner } = await forgelog.post('/runners', { token: reset.token });
  const { body: job } = await eventually(
    'a job',
    () => forgelog.post('/jobs/request', { token: runner.token, info: {} }),
    { until: ({ status }) => status === 201 },
  );
  const log =
    'section_start:1600000000:prepare\r\x1b[0K\x1b[36;1mPreparing\x1b[0m\nsection_end:1600000002:prepare\r\x1b[0K\n' +
    '<img src=x onerror="document.title=1">\n10 %\r100 %\n';
  await fetch(`${forgelog.url}/api/v4/jobs/${job.id}/trace`, {
    method: 'PATCH',
    headers: {
      'JOB-TOKEN': job.token,
      'Content-Range': `0-${log.length - 1}`,
      'Content-Type': 'text/plain',
    },
    body: log,
  });
  await forgelog.put(`/jobs/${job.id}`, { token: job.token, state: 'success' });

  const shown = await shownInBrowser(`${forgelog.url}/${project.path_with_namespace}/-/jobs/${job.id}`);
  expect(shown).toContain('<title>build (success)</title>');
  expect(shown).toMatch(
    /<summary><div data-number="1" class="line"><span><span[^>]*>Preparing<\/span><\/span><\/div><time>2 s</,
  );
  expect(shown).toContain('&lt;img src=x onerror="document.title=1"&gt;');
  expect(shown).toContain('<span>100 %</span>');
});
