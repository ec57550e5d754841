import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMemoryFeed } from '@forgelog/eventing/adapters/memory/memory-feed.ts';
import type { CloudEvent } from '@forgelog/eventing/cloud-event.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fed } from '../support/fed.ts';
import { type Forgelog, forgelogForTest, startForgelog } from '../support/forgelog.ts';
import { settleProject } from '../support/inhabitants.ts';
import { startServerProcess } from '../support/server-process.ts';
import { type ReceivedSpan, startSpanCollector } from '../support/span-collector.ts';
import { addressOf, git, workingCopy } from '../support/stock-git.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = `00-${TRACE}-00f067aa0ba902b7-01`;

/** Reads the event stream from its beginning until `enough` says so, then hangs up. */
async function followUntil(forgelog: Forgelog, enough: (event: CloudEvent) => boolean): Promise<CloudEvent> {
  const hangUp = new AbortController();
  const response = await fetch(`${forgelog.url}/api/v4/event_stream`, {
    headers: { 'PRIVATE-TOKEN': forgelog.rootToken },
    signal: hangUp.signal,
  });
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop()!;
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (!data || !enough(JSON.parse(data))) continue;
      hangUp.abort();
      return JSON.parse(data);
    }
  }
  throw new Error('the stream ended');
}

const only = (spans: ReceivedSpan[], component: string, name: RegExp): ReceivedSpan => {
  const found = spans.filter((span) => span.component === component && name.test(span.name));
  expect(found, `${component} ${name}`).toHaveLength(1);
  return found[0]!;
};

test('a request is one trace from the gateway through service, append, projectors and feeds', async () => {
  const collector = await startSpanCollector();
  const kafka = openMemoryFeed();
  const forgelog = await startForgelog({
    environment: { ...collector.environment, KAFKA_BROKERS: 'nobody-asks:9092' },
    openFeed: async () => kafka,
  });
  const projectId = await settleProject(forgelog, 'traced');
  const received = followUntil(forgelog, ({ type }) => type === 'IssueOpened');
  const headers = { traceparent: CALLER, 'X-Request-Id': 'request-under-test' };
  await forgelog.post(`/projects/${projectId}/issues`, { title: 'One' }, { headers });
  const { traceparent } = await received;
  await fed(forgelog.system.relay!);
  await forgelog.stop();

  const spans = collector.spans.filter(({ traceId }) => traceId === TRACE);
  const gateway = only(spans, 'gateway', /^POST \/projects\/:id\/issues$/);
  expect(gateway.parentSpanId).toBe('00f067aa0ba902b7');
  expect(gateway.service).toBe('forgelog');
  expect(gateway.attributes).toMatchObject({
    'http.request.method': 'POST',
    'http.response.status_code': 201,
    'url.path': `/api/v4/projects/${projectId}/issues`,
    'forgelog.request_id': 'request-under-test',
  });
  const service = only(spans, 'tracker', /^tracker issue/);
  expect(service.parentSpanId).toBe(gateway.spanId);
  const append = only(spans, 'event-store', /^append IssueOpened$/);
  expect(append.parentSpanId).toBe(service.spanId);
  expect(append.attributes['forgelog.stream']).toBe(`issue-${projectId}-1`);
  const projector = only(spans, 'projector', /^project issues$/);
  expect(projector.parentSpanId).toBe(service.spanId);
  expect(projector.attributes['forgelog.event']).toBe('IssueOpened');
  const feed = only(spans, 'feed', /^publish event_stream$/);
  expect(feed.parentSpanId).toBe(service.spanId);
  expect(only(spans, 'feed', /^publish kafka$/).parentSpanId).toBe(service.spanId);
  // Whoever consumes a feed can go on with the trace.
  expect(traceparent).toBe(`00-${TRACE}-${service.spanId}-01`);
  const published = kafka.messages.map(({ value }) => JSON.parse(value) as CloudEvent);
  expect(published.find(({ type }) => type === 'IssueOpened')!.traceparent).toBe(traceparent);
});

test("a policy's work belongs to the trace of its event", async () => {
  const collector = await startSpanCollector();
  const forgelog = await startForgelog({ environment: collector.environment });
  const group = (await forgelog.post('/groups', { name: 'G', path: 'g' })).body.id;
  await forgelog.post('/projects', { name: 'p', namespace_id: group });
  await forgelog.delete(`/groups/${group}`, { headers: { traceparent: CALLER } });
  expect(await forgelog.system.projectors.policiesIdle()).toBe(true);
  await forgelog.stop();
  const spans = collector.spans.filter(({ traceId }) => traceId === TRACE);
  expect(spans.filter(({ component }) => component === 'policy').map(({ name }) => name)).not.toEqual([]);
  expect(spans.map(({ name }) => name)).toContain('append ProjectDeleted');
});

test('a push is a span of the repo service, and its append is a child of that', async () => {
  const collector = await startSpanCollector();
  const forgelog = await startForgelog({ environment: collector.environment });
  await forgelog.post('/projects', { name: 'pushed' });
  const address = addressOf(forgelog, 'root/pushed', { name: 'root', secret: forgelog.rootToken });
  const header = `http.extraHeader=traceparent: ${CALLER}`;
  await git(await workingCopy(), '-c', header, 'push', '-q', address, 'HEAD:main');
  await forgelog.stop();
  const spans = collector.spans.filter(({ traceId }) => traceId === TRACE);
  const push = only(spans, 'repo', /^repo git-receive-pack$/);
  expect(push.parentSpanId).toBe(only(spans, 'gateway', /^POST git-receive-pack$/).spanId);
  expect(only(spans, 'event-store', /^append RefUpdated$/).parentSpanId).toBe(push.spanId);
});

test('a malformed or unsampled traceparent is not followed', async () => {
  const collector = await startSpanCollector();
  const forgelog = await startForgelog({ environment: collector.environment });
  await forgelog.get('/version', { headers: { traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` } });
  await forgelog.get('/user', { headers: { traceparent: CALLER.replace(/01$/, '00') } });
  await forgelog.stop();
  const versions = collector.spans.filter(({ name }) => name === 'GET /version');
  expect(versions.map(({ parentSpanId }) => parentSpanId)).toEqual([undefined]);
  expect(collector.spans.filter(({ name }) => name === 'GET /user')).toEqual([]);
});

test('without an endpoint nothing is traced, whatever the caller sends', async () => {
  const forgelog = await forgelogForTest();
  await forgelog.post('/projects', { name: 'untraced' }, { headers: { traceparent: CALLER } });
  const events = await forgelog.system.store.readAll({ after: '', limit: 1000 });
  expect(events.some(({ type }) => type === 'ProjectCreated')).toBe(true);
  expect(events.filter(({ metadata }) => 'traceparent' in metadata)).toEqual([]);
});

test('an unreachable collector delays neither requests nor the stop, and is reported', async () => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'forgelog-test-'));
  onTestFinished(() => rm(DATA_DIR, { recursive: true, force: true }));
  const server = startServerProcess({
    DATA_DIR,
    LOG_LEVEL: 'info',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
  });
  const address = await server.ready;
  const headers = { traceparent: CALLER, 'X-Request-Id': 'request-under-test' };
  expect((await fetch(`${address}/api/v4/user`, { headers })).status).toBe(401);
  expect(await server.stop()).toBe(0);
  const lines = server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
  // A request's line carries both ids, so that it is found from a trace and the trace from it.
  expect(lines).toContainEqual(
    expect.objectContaining({
      msg: 'request',
      path: '/api/v4/user',
      requestId: 'request-under-test',
      traceId: TRACE,
    }),
  );
  expect(lines.map(({ msg }) => msg)).toContain('telemetry not sent');
});

/** Says on standard error which of OpenTelemetry's parts a process loads. */
const TELLING = `import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    const part = /@opentelemetry[/+]([\\w-]+)/.exec(url)?.[1];
    if (part) process.stderr.write('loads ' + part + '\\n');
    return next(url, context);
  },
});`;

test('the SDK is loaded only if something is exported', async () => {
  const loadedWith = async (environment: Record<string, string>) => {
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'forgelog-test-'));
    onTestFinished(() => rm(DATA_DIR, { recursive: true, force: true }));
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(TELLING)}`;
    const server = startServerProcess({ DATA_DIR, NODE_OPTIONS, ...environment });
    expect(await server.ready).toBeDefined();
    await server.stop();
    return new Set(server.output().match(/(?<=^loads ).+$/gm));
  };
  const [off, on] = await Promise.all([
    loadedWith({}),
    loadedWith({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }),
  ]);
  // prom-client brings the API itself, which is small.
  expect([...off].filter((part) => part !== 'api')).toEqual([]);
  expect(on).toContain('sdk-node');
});

describe('OpenTelemetry’s own settings', () => {
  const served = async (settings: Record<string, string>, ask?: (forgelog: Forgelog) => Promise<unknown>) => {
    const collector = await startSpanCollector(settings);
    const forgelog = await startForgelog({ environment: collector.environment });
    await (ask?.(forgelog) ?? forgelog.get('/version'));
    await forgelog.stop();
    return collector;
  };

  test('OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES set the resource of spans', async () => {
    const { spans } = await served({
      OTEL_SERVICE_NAME: 'forge-of-ours',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging,service.namespace=tools',
    });
    expect(spans.find(({ name }) => name === 'GET /version')!.resource).toMatchObject({
      'service.name': 'forge-of-ours',
      'service.version': 'unknown',
      'deployment.environment.name': 'staging',
      'service.namespace': 'tools',
    });
  });

  test('OTEL_TRACES_SAMPLER decides if the caller does not', async () => {
    const headers = { traceparent: CALLER };
    const { spans } = await served({ OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, async (forgelog) => {
      await forgelog.get('/version');
      await forgelog.get('/user', { headers });
    });
    const names = spans.filter(({ component }) => component === 'gateway').map(({ name }) => name);
    expect(names).toEqual(['GET /user']);
  });

  test('OTEL_EXPORTER_OTLP_HEADERS are sent with the spans', async () => {
    const { exports } = await served({
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc,x-tenant=forge',
    });
    expect(exports.map(({ path }) => path)).toContain('/v1/traces');
    for (const { headers } of exports)
      expect(headers).toMatchObject({ authorization: 'Bearer abc', 'x-tenant': 'forge' });
  });

  test('OTEL_EXPORTER_OTLP_PROTOCOL sends protobuf, which is also the default', async () => {
    for (const OTEL_EXPORTER_OTLP_PROTOCOL of ['http/protobuf', '']) {
      const { exports } = await served({ OTEL_EXPORTER_OTLP_PROTOCOL });
      const traces = exports.filter(({ path }) => path === '/v1/traces');
      expect(new Set(traces.map(({ headers }) => headers['content-type']))).toEqual(
        new Set(['application/x-protobuf']),
      );
      expect(Buffer.concat(traces.map(({ body }) => body)).includes('GET /version')).toBe(true);
    }
  });

  test('OTEL_EXPORTER_OTLP_PROTOCOL=grpc sends over gRPC', async () => {
    const called: string[] = [];
    const collector = createServer().on('stream', (stream, headers) => {
      called.push(String(headers[':path']));
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.resume().on('end', () => stream.end(Buffer.alloc(5)));
    });
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void collector.close());
    const { port } = collector.address() as AddressInfo;
    await served({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    });
    expect(called).toContain('/opentelemetry.proto.collector.trace.v1.TraceService/Export');
  });

  test('an endpoint alone exports only traces', async () => {
    const { exports } = await served({});
    expect(new Set(exports.map(({ path }) => path))).toEqual(new Set(['/v1/traces']));
  });

  test('OTEL_METRICS_EXPORTER=otlp sends the metrics of /-/metrics', async () => {
    const { exports } = await served({ OTEL_METRICS_EXPORTER: 'otlp', OTEL_TRACES_EXPORTER: 'none' });
    expect(new Set(exports.map(({ path }) => path))).toEqual(new Set(['/v1/metrics']));
    const sent = JSON.parse(exports.at(-1)!.body.toString());
    const metrics: { name: string }[] = sent.resourceMetrics[0].scopeMetrics[0].metrics;
    const of = (name: string) => metrics.find((metric) => metric.name === name);
    expect(of('forgelog_http_requests_total')).toMatchObject({
      sum: {
        isMonotonic: true,
        dataPoints: expect.arrayContaining([
          expect.objectContaining({
            asDouble: 1,
            attributes: expect.arrayContaining([
              { key: 'endpoint', value: { stringValue: 'version-get' } },
              { key: 'status', value: { stringValue: '200' } },
            ]),
          }),
        ]),
      },
    });
    expect(of('forgelog_http_request_duration_seconds')).toMatchObject({
      histogram: { dataPoints: expect.arrayContaining([expect.objectContaining({ count: 1 })]) },
    });
    expect(of('process_resident_memory_bytes')).toHaveProperty('gauge');
    expect(of('forgelog_projection_lag_seconds')).toHaveProperty('gauge');
  });

  test('OTEL_LOGS_EXPORTER=otlp sends the log lines', async () => {
    const { exports } = await served({
      OTEL_LOGS_EXPORTER: 'otlp',
      OTEL_TRACES_EXPORTER: 'none',
      LOG_LEVEL: 'info',
    });
    const records = exports
      .filter(({ path }) => path === '/v1/logs')
      .flatMap(({ body }) => JSON.parse(body.toString()).resourceLogs[0].scopeLogs[0].logRecords);
    expect(records).toContainEqual(
      expect.objectContaining({
        severityText: 'INFO',
        body: { stringValue: 'request' },
        attributes: expect.arrayContaining([
          { key: 'path', value: { stringValue: '/api/v4/version' } },
          { key: 'status', value: { intValue: 200 } },
        ]),
      }),
    );
  });
});
