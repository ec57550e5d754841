import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { readSettings, settings } from '@forgelog/service-kit/configuration.ts';
import { ServiceResponse } from '@forgelog/service-kit/split/service-app.ts';
import { expect, test } from 'vitest';
import { drain, listen } from './listener.ts';

const configuration = { ...readSettings(settings, {}), PORT: 0 };

/** Sends a request over a keep-alive connection. */
function ask(address: string, agent: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(address, { agent }, (answer) => resolve(answer.resume())).once('error', reject);
  });
}

test.each([undefined, ServiceResponse])(
  'answers of a server that stops end their connections',
  async (given) => {
    const waiting: ServerResponse[] = [];
    const server = createServer(given ? { ServerResponse: given } : {}, (_, response) => {
      waiting.push(response as ServerResponse);
      server.emit('waiting');
    });
    const address = await listen(server, configuration);
    const agent = new Agent({ keepAlive: true });
    const answer = (body: string) =>
      waiting.pop()!.writeHead(200, { 'Content-Length': body.length }).end(body);

    const first = ask(address, agent);
    await once(server, 'waiting');
    answer('before');
    expect((await first).headers.connection).not.toBe('close');

    const second = ask(address, agent);
    await once(server, 'waiting');
    const drained = drain(server);
    answer('after');
    expect((await second).headers.connection).toBe('close');
    await drained;
    await expect(ask(address, agent)).rejects.toThrow('ECONNREFUSED');
    agent.destroy();
  },
);

test('a server that stops lets callers end their idle connections, and answers what is on its way', async () => {
  const server = createServer((_, response) => response.end('ok'));
  const address = await listen(server, configuration);
  const agent = new Agent({ keepAlive: true });
  expect((await ask(address, agent)).headers.connection).not.toBe('close');
  await expect.poll(() => Object.values(agent.freeSockets).flat()).toHaveLength(1);
  const [idle] = Object.values(agent.freeSockets).flat();
  const drained = drain(server, { callersEndIdle: true });
  expect(idle!.destroyed).toBe(false);
  expect((await ask(address, agent)).headers.connection).toBe('close');
  await drained;
  expect(idle!.destroyed).toBe(true);
  agent.destroy();
});

test('nobody is waited for who keeps an idle connection', async () => {
  const server = createServer((_, response) => response.end('ok'));
  const address = await listen(server, configuration);
  const agent = new Agent({ keepAlive: true });
  await ask(address, agent);
  await drain(server, { callersEndIdle: true });
  await expect(ask(address, agent)).rejects.toThrow();
  agent.destroy();
});
