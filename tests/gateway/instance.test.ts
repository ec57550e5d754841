import { feedServices } from '@forgelog/contracts/asyncapi/asyncapi.ts';
import { endpoints } from '@forgelog/contracts/endpoints.ts';
import { events } from '@forgelog/contracts/events.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Forgelog, forgelogForTest, startForgelog } from '../support/forgelog.ts';

let forgelog: Forgelog;
beforeAll(async () => {
  forgelog = await startForgelog();
});
afterAll(() => forgelog.stop());

test('the version needs credentials and has three parts', async () => {
  expect((await forgelog.get('/version', { token: null })).body).toEqual({ message: '401 Unauthorized' });
  expect((await forgelog.get('/version')).body.version.split('.')).toHaveLength(3);
});

test('the metadata repeats the version, and says which features are missing', async () => {
  expect((await forgelog.get('/metadata', { token: null })).status).toBe(401);
  const { body } = await forgelog.get('/metadata');
  expect(body).toEqual({
    ...(await forgelog.get('/version')).body,
    kas: { enabled: false, externalUrl: null, externalK8sProxyUrl: null, version: null },
    enterprise: true,
  });
  const free = await forgelogForTest({ environment: { EDITION: 'free' } });
  expect((await free.get('/metadata')).body.enterprise).toBe(false);
});

test('the reference describes every endpoint once', async () => {
  const { body } = await forgelog.get('/openapi.json', { token: null });
  expect(body.openapi).toBe('3.1.0');
  const described = Object.values(
    body.paths as Record<string, Record<string, { operationId: string }>>,
  ).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
  expect(described.sort()).toEqual(endpoints.map(({ id }) => id).sort());
});

test('the published events are described to everybody, a channel per service', async () => {
  const { body } = await forgelog.get('/asyncapi.json', { token: null });
  expect(body.asyncapi).toBe('3.0.0');
  expect(Object.keys(body.channels).sort()).toEqual(
    [...feedServices(events), 'event_stream', 'access_event_stream'].sort(),
  );
  expect(body.components.messages).toHaveProperty('ProjectCreated');
});

test('the reference is a page of local files only', async () => {
  const page = await (await fetch(`${forgelog.url}/-/docs`)).text();
  const addresses = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);
  expect(addresses).toHaveLength(3);
  for (const address of addresses) {
    const asset = await fetch(new URL(address, forgelog.url));
    expect(asset.status).toBe(200);
    expect((await asset.text()).length).toBeGreaterThan(50);
  }
  expect((await fetch(`${forgelog.url}/-/docs/..%2fpackage.json`)).status).toBe(404);
});

test('a browser gets a page at / that links to the reference', async () => {
  const headers = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
  const answer = await fetch(forgelog.url, { headers });
  expect([answer.status, answer.headers.get('vary')]).toEqual([200, expect.stringContaining('Accept')]);
  const page = await answer.text();
  const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, link]) => link!);
  expect(links).toContain('/-/docs');
  for (const link of links) expect((await fetch(new URL(link, forgelog.url), { headers })).status).toBe(200);
  expect((await fetch(`${forgelog.url}/root`, { headers })).status).toBe(404);
});

test('pages have the name and the lines that administrators set, as text', async () => {
  const look = {
    ...{ title: 'A <b>&', description: 'We **build** <script>', header_message: 'Rest *now* <i>' },
    ...{ footer_message: 'Below', message_background_color: '#123456' },
  };
  expect((await forgelog.put('/application/appearance', look)).status).toBe(200);
  const pageAt = async (path: string) =>
    (await fetch(forgelog.url + path, { headers: { Accept: 'text/html' } })).text();
  const [start, docs, job] = await Promise.all(['/', '/-/docs', '/root/any/-/jobs/1'].map(pageAt));
  for (const page of [start, docs, job]) {
    expect(page).toContain('background: #123456; color: #FFFFFF">Rest <em>now</em> &lt;i&gt;</div>');
    expect(page).toContain('">Below</div>');
  }
  expect(start).toContain('<h1>A &#60;b&#62;&#38;</h1>');
  expect(start).toContain('We <strong>build</strong> &lt;script&gt;');
  expect(docs).toContain('<title>A &#60;b&#62;&#38; API</title>');
  const none = { title: '', description: '', header_message: '', footer_message: '' };
  await forgelog.put('/application/appearance', none);
  const usual = await pageAt('/');
  expect(usual).toContain('<h1>Forgelog</h1>');
  expect(usual).not.toContain('-message');
});

test('probes need no credentials', async () => {
  for (const probe of ['health', 'liveness', 'readiness']) {
    expect((await fetch(`${forgelog.url}/-/${probe}`)).status).toBe(200);
  }
});

test('an unknown path is a 404 in JSON', async () => {
  for (const path of ['/', '/api/v3/version', '/api/v4', '/nonsense']) {
    const response = await fetch(forgelog.url + path);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ error: '404 Not Found' });
  }
});

test('an unchanged answer is a 304', async () => {
  const first = await forgelog.get('/version');
  const etag = first.headers.get('etag')!;
  const again = await forgelog.get('/version', { headers: { 'If-None-Match': etag } });
  expect(again).toMatchObject({ status: 304, text: '' });
  const other = await forgelog.get('/version', { headers: { 'If-None-Match': 'W/"other"' } });
  expect(other.status).toBe(200);
});
