import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { topicOf } from '@forgelog/contracts/event.ts';
import { openEventStoreDbEventStore } from '@forgelog/eventing/adapters/eventstoredb/eventstoredb-event-store.ts';
import { startEventStoreServer } from '@forgelog/eventing/adapters/eventstoredb/testing/server/server.ts';
import type { CloudEvent } from '@forgelog/eventing/cloud-event.ts';
import { consumeUntil, testBrokers } from '@forgelog/eventing/testing/kafka-consumer.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { freePorts } from '../../infra/local/free-ports.ts';
import { callsTo, ROOT_TOKEN } from '../support/calls.ts';
import { SECRET_KEY } from '../support/cluster.ts';
import { startServerProcess } from '../support/server-process.ts';
import { type ReceivedSpan, startSpanCollector } from '../support/span-collector.ts';

const root = resolve(import.meta.dirname, '../..');

const KAFKA_BROKERS = testBrokers.join(',');
const MONGODB_URL = process.env.MONGODB_URL ?? '';

/** A data folder, removed when what was started here has ended. */
async function world() {
  const dataDir = await mkdtemp(join(tmpdir(), 'forgelog-split-kafka-'));
  const ending: (() => Promise<unknown>)[] = [];
  onTestFinished(async () => {
    for (const end of ending.toReversed()) await end();
    await rm(dataDir, { recursive: true, force: true });
  });
  async function start(program: string, isReady: RegExp, environment: Record<string, string>) {
    const server = startServerProcess(
      { DATA_DIR: dataDir, ROOT_TOKEN, KAFKA_BROKERS, ...environment },
      { program: join(root, program), isReady },
    );
    ending.push(() => server.stop());
    const address = await server.ready;
    if (address === undefined) throw new Error(server.output());
    return { ...server, address, ...callsTo(address, []) };
  }
  return {
    dataDir,
    ending,
    /** The five services. */
    startFive: async (environment: Record<string, string>) =>
      start('infra/src/start-split.ts', /All services are ready on (http\S+)/, {
        PORT: String((await freePorts(5))[0]),
        ...environment,
      }),
    startTracker: (environment: Record<string, string>) =>
      start('services/tracker/src/main.ts', /tracker is ready on (http\S+)/, { PORT: '0', ...environment }),
  };
}

describe.skipIf(testBrokers.length === 0)('on the brokers that KAFKA_BROKERS names', () => {
  test('five processes publish every event, and one trace leads through them into the topic', async () => {
    const collector = await startSpanCollector();
    const { startFive } = await world();
    const server = await startFive(collector.environment);
    const { post } = server;

    const trace = randomBytes(16).toString('hex');
    const traced = { headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` } };
    const { id } = (await post('/projects', { name: 'split' }, traced)).body;
    const file = { branch: 'main', content: 'x', commit_message: 'Add x' };
    expect((await post(`/projects/${id}/repository/files/x`, file, traced)).status).toBe(201);
    const opened = await Promise.all(
      Array.from({ length: 20 }, (_, at) => post(`/projects/${id}/issues`, { title: `${at}` }, traced)),
    );
    const acknowledged = opened.filter(({ status }) => status === 201).map(({ body }) => body);
    expect(acknowledged.length).toBeGreaterThan(0);
    const [{ iid }] = acknowledged;
    const note = await post(`/projects/${id}/issues/${iid}/notes`, { body: 'Last' }, traced);
    expect(note.status).toBe(201);

    // The topics may hold what others sent: the trace tells whose an event is.
    const events: CloudEvent[] = [];
    const titles = acknowledged.map(({ title }) => title as string);
    const awaited = new Set(['DiscussionStarted', 'RefUpdated', 'ProjectCreated', 'NameClaimed', ...titles]);
    await consumeUntil(['admin', 'repo', 'tracker'].map(topicOf), ({ value }) => {
      const event = JSON.parse(value) as CloudEvent;
      if (!event.traceparent?.includes(trace)) return false;
      if (!events.some((seen) => seen.id === event.id)) events.push(event);
      awaited.delete(event.type === 'IssueOpened' ? (event.data as { title: string }).title : event.type);
      return awaited.size === 0;
    });
    for (const [subject, sent] of Map.groupBy(events, (event) => event.subject)) {
      const revisions = sent.map(({ revision }) => revision);
      expect(revisions, subject).toEqual(revisions.map((_, at) => revisions[0]! + at));
    }
    expect(await server.stop()).toBe(0);

    const spans = collector.spans.filter(({ traceId }) => traceId === trace);
    const gateway = spans.find(({ name }) => name.startsWith('POST') && name.endsWith('/notes'))!;
    expect(gateway).toMatchObject({ service: 'forgelog-gateway', parentSpanId: '00f067aa0ba902b7' });
    const below = (parent: ReceivedSpan) =>
      spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId);
    const service = below(gateway).find(({ component }) => component === 'tracker')!;
    expect(service.service).toBe('forgelog-tracker');
    const parts = below(service).map((span) => `${span.service} ${span.component}`);
    for (const component of ['event-store', 'projector', 'feed'])
      expect(parts).toContain(`forgelog-tracker ${component}`);
  }, 180_000);

  test.skipIf(MONGODB_URL === '')(
    'after a publishing replica is killed, the other continues without gap (needs MONGODB_URL)',
    async () => {
      const { dataDir, ending, startFive, startTracker } = await world();
      const log = await startEventStoreServer({ path: join(dataDir, 'shared-log.db') });
      ending.push(() => log.stop());
      const shared = {
        EVENTSTORE_URL: log.url,
        MONGODB_URL: `${MONGODB_URL.replace(/\/[^/]*$/, '')}/t${randomBytes(6).toString('hex')}`,
        SECRET_KEY,
      };
      // Alone at first, so that it is the one that feeds.
      const second = await startTracker({ ...shared, REPLICA: '1' });
      const five = await startFive(shared);
      const { id } = (await five.post('/projects', { name: 'killed' })).body;
      const acknowledged: string[] = [];
      const open = async (title: string) => {
        const { status } = await five.post(`/projects/${id}/issues`, { title });
        if (status === 201) acknowledged.push(title);
      };
      const isFedBy = (title: string) =>
        consumeUntil([topicOf('tracker')], ({ value }) => value.includes(title));
      const first = `first ${randomBytes(8).toString('hex')}`;
      await open(first);
      await isFedBy(first);
      for (let at = 0; at < 40; at++) {
        await open(`issue ${at}`);
        if (at === 25) second.child.kill('SIGKILL');
      }
      expect(acknowledged).toHaveLength(41);
      expect(await second.ended).toBe('SIGKILL');

      const store = openEventStoreDbEventStore({ url: log.url });
      ending.push(() => store.close());
      const issues = (await store.readAll({ after: '', limit: 100_000 })).filter(({ stream }) =>
        stream.startsWith(`issue-${id}-`),
      );
      expect(issues.filter(({ type }) => type === 'IssueOpened')).toHaveLength(41);
      const missing = new Set(issues.map((event) => event.id));
      const sent: CloudEvent[] = [];
      await consumeUntil([topicOf('tracker')], ({ value }) => {
        const event = JSON.parse(value) as CloudEvent;
        if (missing.delete(event.id)) sent.push(event);
        return missing.size === 0;
      });
      for (const [subject, events] of Map.groupBy(sent, (event) => event.subject))
        expect(events.map(({ revision }) => revision)).toEqual(
          issues.filter(({ stream }) => stream === subject).map(({ revision }) => revision),
        );
      expect(await five.stop()).toBe(0);
    },
    180_000,
  );
});
