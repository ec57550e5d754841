import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

let shared: Promise<Server> | undefined;

/** The address of a receiver of hooks on this machine that takes all it is sent. It holds no process up. */
export async function anyReceiver(): Promise<string> {
  shared ??= new Promise((resolve) => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => response.end('taken'));
    });
    server.on('connection', (socket) => socket.unref());
    server.listen(0, '127.0.0.1', () => resolve(server.unref()));
  });
  const { port } = (await shared).address() as AddressInfo;
  return `http://127.0.0.1:${port}/hook`;
}

/** The setting that lets hooks reach it. */
export const REACHING_LOCAL = {
  allow_local_requests_from_web_hooks_and_services: true,
  allow_local_requests_from_system_hooks: true,
};
