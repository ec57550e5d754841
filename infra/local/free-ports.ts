import { createServer } from 'node:net';

/** Below the kernel's ephemeral ports, which an outgoing connection could take; above 10080, which `fetch` refuses. */
const [FIRST, END] = [10_100, 30_000];
/** Reserved for a test's proxy; see README.md. */
const [, reserved] = (process.env.KAFKA_PROXIED_BROKERS ?? '').split(':');

/** Finds consecutive free ports, for servers that cannot choose one themselves. */
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
