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
