import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Configuration, ConfigurationError } from '@forgelog/service-kit/configuration.ts';

/** Binds the server and gives its address. @throws ConfigurationError when the address cannot be had */
export async function listen(server: Server, { HOST, PORT }: Configuration): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) =>
      reject(
        new ConfigurationError(
          `Cannot listen on ${HOST}:${PORT} (HOST, PORT): ${error.code ?? error.message}`,
        ),
      );
    server.once('error', refuse);
    server.listen(PORT, HOST, () => {
      server.off('error', refuse);
      resolve();
    });
  });
  const { port, family, address } = server.address() as AddressInfo;
  if (address === '::' || address === '0.0.0.0') return `http://127.0.0.1:${port}`;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

const DRAIN_MS = 8000;

/** No new connections; idle ones close at once, busy ones when their answer is out or the time is up. */
export async function drain(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection whose last answer is out is idle again only then.
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}
