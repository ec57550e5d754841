import { createServer } from 'node:net';

/** Below those that the kernel gives to outgoing connections, which would take one between the look and the use. */
const [FIRST, END] = [10_000, 30_000];
/** Nobody listens there until a test does; see README.md. */
const [, reserved] = (process.env.KAFKA_PROXIED_BROKERS ?? '').split(':');

/** So many ports in a row that nobody listens on, for servers that cannot choose one themselves. */
export async function freePorts(count: number): Promise<number[]> {
  for (;;) {
    const first = FIRST + Math.floor(Math.random() * (END - FIRST - count));
    const ports = Array.from({ length: count }, (_, at) => first + at);
    const free = await Promise.all(ports.map(isFree));
    if (free.every(Boolean) && !ports.includes(Number(reserved))) return ports;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(false));
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
  });
}
