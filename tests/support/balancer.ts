import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { probe } from './probes.ts';

const LOOK_EVERY_MS = 100;

export interface Balancer {
  url: string;
  /** How many each replica got. */
  connections: readonly number[];
  close(): Promise<void>;
}

/** One address in front of several replicas: connections go to each in turn, as a cluster's do. */
export async function balance(urls: readonly string[]): Promise<Balancer> {
  let turn = 0;
  const connections = urls.map(() => 0);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    if (urls.length === 0) return void near.destroy();
    const target = turn++ % urls.length;
    connections[target] = (connections[target] ?? 0) + 1;
    const { hostname, port } = new URL(urls[target]!);
    const far = connect(Number(port), hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** One address in front of several replicas, which gives new connections to those whose readiness says yes. */
export async function balanceReady(urls: readonly string[]): Promise<Balancer> {
  const ready: string[] = [];
  const ending = new AbortController();
  const look = async (url: string) => {
    const isReady = (await probe(url, 'readiness', ending.signal)) === 200;
    const at = ready.indexOf(url);
    if (isReady && at < 0) ready.push(url);
    if (!isReady && at >= 0) ready.splice(at, 1);
  };
  const looking = Promise.all(
    urls.map(async (url) => {
      while (!ending.signal.aborted) {
        await look(url);
        await sleep(LOOK_EVERY_MS, undefined, { signal: ending.signal }).catch(() => {});
      }
    }),
  );
  const balancer = await balance(ready);
  return {
    ...balancer,
    async close() {
      ending.abort();
      await looking;
      await balancer.close();
    },
  };
}

/** A port of this machine that nobody else gets until it is released. */
export async function holdPort(): Promise<{ port: number; release(): Promise<void> }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async release() {
      server.close();
      await once(server, 'close');
    },
  };
}
