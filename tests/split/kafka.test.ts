import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { CloudEvent } from '@forgelog/eventing/cloud-event.ts';
import { topicOf } from '@forgelog/eventing/feed.ts';
import { consumeUntil, testBrokers } from '@forgelog/eventing/testing/kafka-consumer.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { callsTo, ROOT_TOKEN } from '../support/calls.ts';
import { startServerProcess } from '../support/server-process.ts';
import { type ReceivedSpan, startSpanCollector } from '../support/span-collector.ts';

const program = resolve(import.meta.dirname, '../../infra/src/start-split.ts');

/** The first of five ports in a row that nobody listens on. */
async function fivePorts(): Promise<number> {
  for (let first = 40_000 + (process.pid % 20_000); ; first += 7) {
    const free = await Promise.all([0, 1, 2, 3, 4].map((at) => isFree(first + at)));
    if (free.every(Boolean)) return first;
  }
}
const isFree = (port: number) =>
  new Promise<boolean>((done) => {
    const server = createServer();
    server.once('error', () => done(false));
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
  });

describe.skipIf(testBrokers.length === 0)('on the brokers that KAFKA_BROKERS names', () => {
  test('five processes feed every event, and one trace leads through them into the topic', async () => {
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'forgelog-split-kafka-'));
    const collector = await startSpanCollector();
    const environment = {
      DATA_DIR,
      ROOT_TOKEN,
      PORT: String(await fivePorts()),
      KAFKA_BROKERS: testBrokers.join(','),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    };
    const server = startServerProcess(environment, {
      program,
      isReady: /All services are ready on (http\S+)/,
    });
    onTestFinished(async () => {
      await server.stop();
      await rm(DATA_DIR, { recursive: true, force: true });
    });
    const address = await server.ready;
    expect(address, server.output()).toBeDefined();
    const { post } = callsTo(address!, []);

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
});
