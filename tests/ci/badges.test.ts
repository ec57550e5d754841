import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { hasBrowser, shownInBrowser } from '../support/browser.ts';
import { startBuilt } from '../support/built-project.ts';
import type { Forgelog } from '../support/forgelog.ts';

const textsOf = (svg: string) => /<title>(.*?)<\/title>/.exec(svg)?.[1];

async function badge(forgelog: Forgelog, path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(forgelog.url + path, { headers });
  return { status: answer.status, headers: answer.headers, text: textsOf(await answer.text()) };
}

const COVERED = `
unit: {script: [make], coverage: '/(\\d+)%/'}
lint: {script: [make], coverage: '/(\\d+)%/'}`;

test('badges tell the status and the coverage of a branch, and change with them', async () => {
  const { forgelog, project, runner } = await startBuilt(COVERED);
  await forgelog.put(`/projects/${project.id}`, { visibility: 'public' });
  const at = `/${project.path_with_namespace}/badges/main`;
  const told = async (path: string) => (await badge(forgelog, path)).text;
  expect(await told(`${at}/pipeline.svg`)).toBe('pipeline: pending');
  expect(await told(`${at}/coverage.svg`)).toBe('coverage: unknown');
  for (const percent of [90, 71]) {
    const job = (await runner.request())!;
    await runner.trace(job, 0, `covered ${percent}%\n`);
    await runner.update(job, { state: 'success' });
    if (percent === 90) expect(await told(`${at}/pipeline.svg`)).toBe('pipeline: running');
  }
  const passed = await badge(forgelog, `${at}/pipeline.svg`);
  expect([passed.status, passed.text]).toEqual([200, 'pipeline: passed']);
  expect(passed.headers.get('content-type')).toBe('image/svg+xml');
  const etag = passed.headers.get('etag')!;
  expect((await badge(forgelog, `${at}/pipeline.svg`, { 'If-None-Match': etag })).status).toBe(304);
  expect(await told(`${at}/coverage.svg`)).toBe('coverage: 80.50%');
  expect(await told(`${at}/coverage.svg?job=lint`)).toMatch(/^coverage: (71|90)\.00%$/);
  expect(await told(`${at}/coverage.svg?job=other`)).toBe('coverage: unknown');
  expect(await told(`${at}/pipeline.svg?key_text=A%26B&key_width=99&style=flat-square`)).toBe(
    'A&amp;B: passed',
  );

  const more = { branch: 'main', commit_message: 'More [skip ci]', content: 'more' };
  await forgelog.post(`/projects/${project.id}/repository/files/more.txt`, more);
  await forgelog.system.projectors.policiesIdle();
  const skipped = await badge(forgelog, `${at}/pipeline.svg`, { 'If-None-Match': etag });
  expect([skipped.status, skipped.text]).toEqual([200, 'pipeline: skipped']);
  expect(await told(`${at}/pipeline.svg?ignore_skipped=true`)).toBe('pipeline: passed');
  expect(await told(`/${project.path_with_namespace}/-/badges/gone/pipeline.svg`)).toBe('pipeline: unknown');
  for (const wrong of ['style=other', 'key_width=0', 'key_width=513', `key_text=${'x'.repeat(65)}`])
    expect((await badge(forgelog, `${at}/pipeline.svg?${wrong}`)).status).toBe(400);
});

test('badges are seen by whoever sees pipelines', async () => {
  const { forgelog, project } = await startBuilt(COVERED);
  const at = `/${project.path_with_namespace}/badges/main/pipeline.svg`;
  expect((await badge(forgelog, at)).status).toBe(404);
  const headers = { 'PRIVATE-TOKEN': forgelog.rootToken };
  expect((await badge(forgelog, at, headers)).text).toBe('pipeline: pending');
  await forgelog.put(`/projects/${project.id}`, { visibility: 'public', public_builds: false });
  expect((await badge(forgelog, at)).status).toBe(403);
});

test.runIf(hasBrowser)('a browser shows a badge on a page of another site', async () => {
  const { forgelog, project } = await startBuilt(COVERED);
  await forgelog.put(`/projects/${project.id}`, { visibility: 'public' });
  const at = `${forgelog.url}/${project.path_with_namespace}/badges/main/pipeline.svg`;
  const image = `<img src="${at}" onload="document.title = this.naturalWidth + ' x ' + this.naturalHeight">`;
  const site = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html').end(image);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void site.close());
  await once(site, 'listening');
  const { port } = site.address() as AddressInfo;
  const shown = await shownInBrowser(`http://127.0.0.1:${port}`);
  expect(shown).toContain('<title>118 x 20</title>');
});
