import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ReceivedMessage {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: messages of every kind.
  body: any;
}

export interface HookReceiver {
  url: string;
  received: ReceivedMessage[];
  /** Answers what comes from now on; by default with 200. */
  answer: (response: ServerResponse, message: ReceivedMessage) => void;
}

/** A receiver of hooks on this machine, until the test ends. */
export async function startReceiver(): Promise<HookReceiver> {
  const receiver: HookReceiver = { url: '', received: [], answer: (response) => response.end('taken') };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const message = { path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) };
      receiver.received.push(message);
      receiver.answer(response, message);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return receiver;
}
