import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type Forgelog, forgelogForTest } from '../support/forgelog.ts';

/** A proxy that does what nginx does with `$proxy_add_x_forwarded_for`. Gives its address. */
async function proxyBefore(forgelog: Forgelog): Promise<string> {
  const proxy = createServer((request, response) => {
    const told = [request.headers['x-forwarded-for'], request.socket.remoteAddress]
      .filter(Boolean)
      .join(', ');
    const headers = { ...request.headers, 'x-forwarded-for': told };
    const passed = ask(forgelog.url + request.url, { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    request.pipe(passed);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => proxy.once('listening', resolve));
  onTestFinished(() => void proxy.close());
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

const CLIENT = '203.0.113.7';

test('behind a trusted proxy, event, audit event and log line name the client and its user agent', async () => {
  const forgelog = await forgelogForTest({ environment: { TRUSTED_PROXIES: 'loopback' } });
  const proxy = await proxyBefore(forgelog);
  const headers = {
    'PRIVATE-TOKEN': forgelog.rootToken,
    'X-Forwarded-For': CLIENT,
    'User-Agent': `my-bot/1 ${'x'.repeat(500)}`,
    'Content-Type': 'application/json',
  };
  const body = JSON.stringify({ name: 'behind' });
  const made = await fetch(`${proxy}/api/v4/projects`, { method: 'POST', headers, body });
  expect(made.status).toBe(201);
  const { id } = (await made.json()) as { id: number };
  const log = await forgelog.system.store.readAll({ after: '', limit: 1000 });
  const { metadata } = log.find(({ type }) => type === 'ProjectCreated')!;
  expect(metadata).toMatchObject({
    clientAddress: CLIENT,
    userAgent: expect.stringMatching(/^my-bot\/1 x{247}$/),
  });
  const [audited] = (await forgelog.get(`/projects/${id}/audit_events`)).body;
  expect(audited.details.ip_address).toBe(CLIENT);
});

test('archives are limited per client, not per proxy', async () => {
  // The window does not end meanwhile.
  const forgelog = await forgelogForTest({
    ...{ environment: { TRUSTED_PROXIES: '127.0.0.1, ::1' }, clock: () => new Date('2031-01-01') },
  });
  const { body } = await forgelog.post('/projects', {
    name: 'open',
    visibility: 'public',
    initialize_with_readme: true,
  });
  const proxy = await proxyBefore(forgelog);
  const archive = async (client: string) =>
    (
      await fetch(`${proxy}/api/v4/projects/${body.id}/repository/archive`, {
        headers: { 'X-Forwarded-For': client },
      })
    ).status;
  for (let times = 0; times < 5; times += 1) expect(await archive(CLIENT)).toBe(200);
  expect(await archive(CLIENT)).toBe(429);
  expect(await archive(`198.51.100.1, ${CLIENT}`)).toBe(429);
  expect(await archive('203.0.113.8')).toBe(200);
});

test('without the setting the headers are ignored', async () => {
  const forgelog = await forgelogForTest();
  await forgelog.post('/projects', { name: 'plain' }, { headers: { 'X-Forwarded-For': CLIENT } });
  const log = await forgelog.system.store.readAll({ after: '', limit: 1000 });
  const { metadata } = log.find(({ type }) => type === 'ProjectCreated')!;
  expect(metadata.clientAddress).toMatch(/^(::ffff:)?127\.0\.0\.1$|^::1$/);
});
