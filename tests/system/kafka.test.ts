import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CloudEvent } from '@forgelog/eventing/cloud-event.ts';
import { testBrokers } from '@forgelog/eventing/testing/kafka-consumer.ts';
import { openEmbeddedStores } from '@forgelog/infra/embedded-stores.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { callsTo, ROOT_TOKEN } from '../support/calls.ts';
import { consumed, expectWhole, leaving } from '../support/consumed-feed.ts';
import { eventually } from '../support/eventually.ts';
import { scrape } from '../support/metrics.ts';
import { startServerProcess } from '../support/server-process.ts';
import { startSpanCollector } from '../support/span-collector.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const traced = { headers: { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` } };
const FED = ['admin', 'ci', 'repo', 'tracker'];

/** A data folder, and servers on it one after the other. */
async function world() {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'forgelog-kafka-'));
  const servers: ReturnType<typeof startServerProcess>[] = [];
  onTestFinished(async () => {
    await Promise.all(servers.map((server) => server.stop('SIGKILL')));
    await rm(DATA_DIR, { recursive: true, force: true });
  });
  return {
    async start(environment: Record<string, string> = {}) {
      const server = startServerProcess({ DATA_DIR, ROOT_TOKEN, ...environment });
      servers.push(server);
      const address = await server.ready;
      if (address === undefined) throw new Error(server.output());
      return { server, address, ...callsTo(address, []) };
    },
    /** All events of the stopped server that leave, in the order of its log. */
    async log() {
      const { store, readStore } = await openEmbeddedStores({ DATA_DIR });
      const events = await store.readAll({ after: '', limit: 1_000_000 });
      await store.close();
      await readStore.close();
      return leaving(events);
    },
  };
}
type World = Awaited<ReturnType<typeof world>>;

/**
 * What came of the stopped server's log, which is all of it once another has followed: the first may have measured a
 * repository, for one, just when it stopped.
 */
async function fed({ start, log }: World, environment: Record<string, string>) {
  const events = await log();
  const next = await start(environment);
  const messages = await consumed(events, FED);
  expect(await next.server.stop()).toBe(0);
  return { events, messages };
}
type Started = Awaited<ReturnType<World['start']>>;

async function lagOf({ address }: Started): Promise<number | undefined> {
  const { samples } = await scrape(address);
  return samples.find(({ name, labels }) => name === 'forgelog_feed_lag_seconds' && labels.feed === 'kafka')
    ?.value;
}
const untilFed = (server: Started) =>
  eventually('all has left', () => lagOf(server), {
    until: (lag) => lag === 0,
    detail: server.server.output,
  });

/** A project with an issue, a comment and a commit. */
async function work({ post }: Started, name: string): Promise<number> {
  const { id } = (await post('/projects', { name }, traced)).body;
  const { iid } = (await post(`/projects/${id}/issues`, { title: 'First' }, traced)).body;
  const note = await post(`/projects/${id}/issues/${iid}/notes`, { body: 'Well' }, traced);
  const file = { branch: 'main', content: 'x', commit_message: 'Add x' };
  const commit = await post(`/projects/${id}/repository/files/x`, file, traced);
  expect([note.status, commit.status]).toEqual([201, 201]);
  return id;
}

/** Opens issues until the server is killed, which is when `count` are acknowledged. Gives the titles of those. */
async function workUntilKilled({ server, post }: Started, id: number, count: number): Promise<string[]> {
  const acknowledged: string[] = [];
  const caller = async (name: string) => {
    for (let at = 0; ; at++) {
      const title = `${name} ${at}`;
      const status = await post(`/projects/${id}/issues`, { title }).then(
        (reply) => reply.status,
        () => null,
      );
      if (status === null) return;
      if (status === 201) acknowledged.push(title);
      if (acknowledged.length === count) server.child.kill('SIGKILL');
    }
  };
  await Promise.all(['a', 'b', 'c', 'd'].map((name) => caller(`${count}${name}`)));
  expect(await server.ended).toBe('SIGKILL');
  return acknowledged;
}

describe.skipIf(testBrokers.length === 0)('on the brokers that KAFKA_BROKERS names', () => {
  const KAFKA_BROKERS = testBrokers.join(',');

  test('a server that is killed repeatedly publishes each stream in order, without gap', async () => {
    const collector = await startSpanCollector();
    const own = await world();
    const { start } = own;
    const environment = { KAFKA_BROKERS, ...collector.environment };
    const acknowledged: string[] = [];
    const id = await start(environment).then(async (first) => {
      const project = await work(first, 'killed');
      acknowledged.push(...(await workUntilKilled(first, project, 40)));
      return project;
    });
    for (const count of [1, 25])
      acknowledged.push(...(await workUntilKilled(await start(environment), id, count)));
    const last = await start(environment);
    await work(last, 'last');
    await untilFed(last);
    expect(await last.server.stop()).toBe(0);

    const { events, messages } = await fed(own, environment);
    const sent = expectWhole(messages, events);
    const titles = sent.map(({ data }) => (data as { title?: string }).title);
    expect(titles).toEqual(expect.arrayContaining(acknowledged));
    for (const { topic, key, value, headers } of messages) {
      const event = JSON.parse(value) as CloudEvent;
      expect(event).toMatchObject({
        specversion: '1.0',
        source: expect.stringMatching(new RegExp(`^/forgelog/[\\w-]{36}/${topic.replace('forgelog.', '')}$`)),
        type: expect.stringMatching(/^[A-Z]\w+$/),
        subject: key,
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        datacontenttype: 'application/json',
        position: headers.position,
        data: expect.any(Object),
      });
      expect(headers['content-type']).toBe('application/cloudevents+json; charset=UTF-8');
    }
    // Whoever consumes goes on with the trace, and the publishing is in it.
    const ours = sent.filter(({ traceparent }) => traceparent?.includes(TRACE));
    expect(new Set(ours.map(({ source }) => source.split('/').at(-1)))).toEqual(
      new Set(['repo', 'tracker', 'admin']),
    );
    const [newest] = ours.toSorted((one, other) => (one.position < other.position ? 1 : -1));
    const spans = collector.spans.filter(
      ({ traceId, name }) => traceId === TRACE && name === 'publish kafka',
    );
    expect(spans.map(({ parentSpanId }) => parentSpanId)).toContain(newest!.traceparent!.split('-')[2]);
  }, 240_000);

  test('a server that gets Kafka later publishes from its first event on', async () => {
    const own = await world();
    const { start, log } = own;
    const without = await start();
    await work(without, 'before');
    expect(await without.server.stop()).toBe(0);
    const before = await log();
    const withKafka = await start({ KAFKA_BROKERS });
    await work(withKafka, 'after');
    await untilFed(withKafka);
    expect(await withKafka.server.stop()).toBe(0);
    const { events, messages } = await fed(own, { KAFKA_BROKERS });
    expect(events.length).toBeGreaterThan(before.length);
    const sent = expectWhole(messages, events);
    expect(sent.map(({ id }) => id)).toEqual(expect.arrayContaining(before.map(({ id }) => id)));
  });
});
