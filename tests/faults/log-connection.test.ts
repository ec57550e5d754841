import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { BEGINNING } from '@forgelog/eventing/event.ts';
import { EventStoreUnavailableError } from '@forgelog/eventing/event-store.ts';
import { someEvent } from '@forgelog/eventing/testing/event-store.contract.ts';
import { eventStoreDbServers } from '@forgelog/eventing/testing/eventstoredb-servers.ts';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { startTcpProxy } from '../support/tcp-proxy.ts';

const servers = eventStoreDbServers();
afterAll(() => servers.stop());

/** How long a connection may say nothing, and a call may take. */
const DEADLINES = 'defaultDeadline=300&keepAliveInterval=300&keepAliveTimeout=300';
/** The server's first frame of HTTP/2: the connection is made when it is there. */
const FIRST_FRAME = 9;

test.each([0, FIRST_FRAME - 1, FIRST_FRAME, 20, 60, 250, 700])(
  'a log whose connections go dead after %i bytes works again over new connections',
  async (afterBytes) => {
    const server = await servers.start();
    await servers.open(server).append('thing-1', 'no-stream', [someEvent('x'.repeat(500))]);
    const proxy = await startTcpProxy({ port: server.port });
    onTestFinished(() => proxy.close());
    await proxy.set({ kind: 'strand', afterBytes });
    const store = servers.open({ url: `esdb://127.0.0.1:${proxy.port}?tls=false&${DEADLINES}` });
    const read = () => store.readAll({ after: BEGINNING, limit: 1 });
    // Where the replies are cut off late, some calls come through first.
    await expect(
      (async () => {
        for (;;) await read();
      })(),
    ).rejects.toThrow(EventStoreUnavailableError);
    await proxy.set({ kind: 'pass' });
    await expect.poll(() => read().then(({ length }) => length, String)).toBe(1);
    expect(await store.head()).not.toBe(BEGINNING);
    // One that was made is closed politely, and then it is the kernel that waits for the other side.
    if (afterBytes < FIRST_FRAME) await expect.poll(proxy.stranded).toBe(0);
  },
);

test.each([true, false])(
  'a log that accepts connections but stays silent is reconnected (TLS: %s)',
  async (tls) => {
    const taken: Socket[] = [];
    const silent = createServer((socket) => taken.push(socket.on('error', () => {}).resume()));
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const store = servers.open({ url: `esdb://127.0.0.1:${port}?tls=${tls}&${DEADLINES}` });
    const ask = () => expect(store.head()).rejects.toThrow(EventStoreUnavailableError);
    for (let calls = 0; taken.length < 3 && calls < 100; calls++) await ask();
    expect(taken.length).toBeGreaterThanOrEqual(3);
    expect(taken[0]!.closed).toBe(true);
  },
);
