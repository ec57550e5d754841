import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { openMemoryEventStore } from '@forgelog/eventing/adapters/memory/memory-event-store.ts';
import { openMemoryReadStore } from '@forgelog/eventing/adapters/memory/memory-read-store.ts';
import { openSqliteReadStore } from '@forgelog/eventing/adapters/sqlite/sqlite-read-store.ts';
import { endingReadStore } from '@forgelog/eventing/ending-read-store.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import type { EventStore } from '@forgelog/eventing/event-store.ts';
import type { Projection } from '@forgelog/eventing/projection.ts';
import { createProjectors } from '@forgelog/eventing/projector.ts';
import { dump } from '@forgelog/eventing/rebuild.ts';
import {
  addItem,
  basketDecider,
  basketProjection,
  baskets,
  catalogue,
  handlerOn,
  quiet,
} from '@forgelog/eventing/testing/sample-domain.ts';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { createReadModelCopies } from './read-model-copies.ts';
import { readSplitConfiguration } from './split-configuration.ts';

const folder = mkdtempSync(join(tmpdir(), 'replicas-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let replicas = 0;

interface Options {
  store: EventStore;
  projections?: Projection[];
  revision?: string;
  /** Where it finds another replica. */
  at?: Replica;
  /** What happens to what comes from there. */
  via?: (sent: PassThrough) => PassThrough;
  inMemory?: boolean;
}

type Replica = Awaited<ReturnType<typeof replica>>;

/** A replica of a service as its host runs it, up to where it follows the log. */
async function replica({ store, at, via = (sent) => sent, ...options }: Options) {
  const { projections = [basketProjection()], revision = 'abc' } = options;
  const own = join(folder, `${++replicas}`);
  const path = join(own, 'read-models.db');
  const opened = options.inMemory ? openMemoryReadStore() : await openSqliteReadStore({ path });
  const readStore = endingReadStore(opened, quiet);
  const read = vi.fn();
  const counted: EventStore = {
    ...store,
    subscribe(asked) {
      read(asked.after);
      return store.subscribe(asked);
    },
  };
  const projectors = createProjectors({ store: counted, readStore, catalogue, projections, log: quiet });
  const told: string[] = [];
  const log = { info: (fields: { reason?: string }) => void told.push(fields.reason ?? 'copied') };
  const configuration = readSplitConfiguration('tracker', { DATA_DIR: folder, SECRET_KEY: 'k'.repeat(32) });
  const copies = createReadModelCopies({
    service: 'tracker',
    ...{ configuration, revision, stallMs: 300, log: log as never },
    client: {
      async call({ claims }) {
        if (!at) throw new Error('nobody is there');
        const response = Object.assign(new PassThrough(), { writeHead() {} });
        const giving = at.copies.give(claims as never, response as never);
        // A refusal comes before anything is sent.
        await Promise.race([giving, new Promise((done) => response.once('readable', done))]);
        return via(response) as never;
      },
    },
  });
  const host = { store, readStore, projections, projectors };
  onTestFinished(async () => {
    await projectors.stop();
    await readStore.close();
  });
  return {
    ...{ copies, read, told, host, projectors, readStore },
    left: () => readdirSync(own).filter((name) => name.includes('.copy')),
    async start() {
      await copies.begin(host);
      await projectors.start();
    },
  };
}

async function written(count = 200): Promise<EventStore> {
  const store = openMemoryEventStore();
  const handler = handlerOn(store);
  for (let at = 0; at < count; at += 1)
    await handler.handle(basketDecider, `basket-${at % 7}`, addItem(`${at % 7}`, at), SYSTEM_METADATA);
  return store;
}

async function running(options: Options): Promise<Replica> {
  const started = await replica(options);
  await started.start();
  return started;
}

const all = ({ readStore }: Replica) => dump(readStore, [baskets]);

/** It has read the whole log by itself, and says why. */
async function expectNoCopy(one: Replica, source: Replica, reason: string | RegExp): Promise<void> {
  await one.start();
  expect(one.told).toEqual([reason instanceof RegExp ? expect.stringMatching(reason) : reason]);
  expect(one.read.mock.calls).toEqual([['']]);
  expect(one.left()).toEqual([]);
  expect(await all(one)).toBe(await all(source));
}

test('a new replica begins from the position of another, and follows the log from there', async () => {
  const store = await written();
  const first = await running({ store });
  const position = await store.head();
  await first.readStore.write({ changes: [], checkpoints: new Map([['policy:mail', position]]) });
  const second = await running({ store, at: first });
  expect(second.told).toEqual(['copied']);
  expect(second.read.mock.calls).toEqual([[position]]);
  expect(await second.readStore.checkpoint('policy:mail')).toBe(position);
  expect(await all(second)).toBe(await all(first));
  await handlerOn(store).handle(basketDecider, 'basket-1', addItem('1', 99), SYSTEM_METADATA);
  for (const one of [first, second]) await one.projectors.barrier();
  expect(await all(second)).toBe(await all(first));
});

test('a projection that handles nothing of the log does not make it read anew', async () => {
  const store = await written();
  const idle = { ...basketProjection('idle', { ...baskets, name: 'idle' }), handles: ['BasketClosed'] };
  const projections = [basketProjection(), idle];
  const first = await running({ store, projections });
  expect(await first.readStore.checkpoint('idle')).toBe('');
  const second = await running({ store, projections, at: first });
  expect(second.read.mock.calls).toEqual([[await store.head()]]);
});

test('a replica that has read something asks nobody, nor does one whose log is empty', async () => {
  const store = await written();
  const first = await running({ store });
  await first.copies.begin(first.host);
  const empty = await running({ store: openMemoryEventStore(), at: first });
  expect([...first.told, ...empty.told]).toEqual(['nobody is there']);
});

test.each([
  ['of another release', { revision: 'def' }, /another release/],
  ['with other projections', { projections: [{ ...basketProjection(), handles: ['ItemAdded'] }] }, /release/],
] as const)('a replica %s gets no copy', async (_, other, reason) => {
  const store = await written();
  const first = await running({ store });
  await expectNoCopy(await replica({ store, at: first, ...(other as Partial<Options>) }), first, reason);
});

test('a replica that is halted, or cannot be copied, gives no copy', async () => {
  const store = await written();
  const projection = basketProjection();
  const halting = { ...projection, project: vi.fn(projection.project) };
  halting.project.mockRejectedValueOnce(new Error('unlucky'));
  const halted = await running({ store, projections: [halting] });
  const inMemory = await running({ store, inMemory: true });
  await expectNoCopy(
    await replica({ store, at: halted }),
    inMemory,
    'a projection of the other replica is halted',
  );
  await expectNoCopy(await replica({ store, at: inMemory }), inMemory, /cannot be copied/);
});

test('a copy of another log is not taken, nor one of what a restore took back', async () => {
  const [store, other] = [await written(205), await written(300)];
  const first = await running({ store });
  const foreign = await running({ store: other });
  await expectNoCopy(await replica({ store, at: foreign }), first, 'its position is foreign in this log');
  const shorter = { ...store, head: () => first.projectors.status()[0]!.position.replace(/\d$/, '0') };
  const behind = await replica({ store: shorter, at: first });
  await behind.copies.begin(behind.host);
  expect(behind.told).toEqual(['baskets is ahead of the end of the log']);
  expect(behind.left()).toEqual([]);
});

test.each([
  ['cut off half-way', 'the copy broke off', (chunk: Buffer, sent: number) => (sent > 0 ? null : chunk)],
  [
    'with a byte that changed',
    'the copy does not have the hash that was sent with it',
    (chunk: Buffer, sent: number) => {
      if (sent > 1000) chunk[chunk.length - 1]! ^= 1;
      return chunk;
    },
  ],
  [
    'that stands still',
    'nothing came for 300 ms',
    (chunk: Buffer, sent: number) => (sent > 0 ? undefined : chunk),
  ],
] as const)('a copy %s leaves nothing', async (_, reason, pass) => {
  const store = await written();
  const first = await running({ store });
  const via = (sent: PassThrough) => {
    const received = new PassThrough();
    let bytes = 0;
    sent.on('data', (chunk: Buffer) => {
      const passed = pass(Buffer.from(chunk), bytes);
      bytes += chunk.length;
      if (passed === null) received.end();
      else if (passed) received.write(passed);
    });
    sent.on('end', () => reason.startsWith('nothing') || received.end());
    return received;
  };
  await expectNoCopy(await replica({ store, at: first, via }), first, reason);
});
