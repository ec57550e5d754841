import { openMemoryFeed } from '@forgelog/eventing/adapters/memory/memory-feed.ts';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT_TOKEN } from '../support/calls.ts';
import { startCluster } from '../support/cluster.ts';
import { fed } from '../support/fed.ts';
import { scrape } from '../support/metrics.ts';
import { startSpanCollector } from '../support/span-collector.ts';
import { addressOf, emptyFolder, git, workingCopy } from '../support/stock-git.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const headers = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };

test('one trace leads from the gateway through service, log and projectors to the feed', async () => {
  const collector = await startSpanCollector();
  const cluster = await startCluster({
    environment: { ...collector.environment, KAFKA_BROKERS: 'nobody-asks:9092' },
    feedOf: () => async () => openMemoryFeed(),
  });
  let stopped = false;
  onTestFinished(async () => {
    if (!stopped) await cluster.stop();
  });
  const { id } = (await cluster.post('/projects', { name: 'traced' })).body;
  const reply = await cluster.post(`/projects/${id}/issues`, { title: 'One' }, { headers });
  expect(reply.status).toBe(201);
  // A read of every service: their projectors have come so far.
  await cluster.get(`/projects/${id}/issues`);
  const { relay } = cluster.replicas.tracker[0]!;
  await fed(relay!);
  await cluster.stop();
  stopped = true;
  const spans = collector.spans.filter(({ traceId }) => traceId === TRACE);
  const only = (service: string, name: RegExp) => {
    const found = spans.filter((span) => span.service === service && name.test(span.name));
    expect(found, `${service} ${name}`).toHaveLength(1);
    return found[0]!;
  };
  const gateway = only('forgelog-gateway', /^POST \/projects\/:id\/issues$/);
  expect(gateway.parentSpanId).toBe('00f067aa0ba902b7');
  const service = only('forgelog-tracker', /^tracker issue/);
  expect(service.parentSpanId).toBe(gateway.spanId);
  expect(only('forgelog-tracker', /^append IssueOpened$/).parentSpanId).toBe(service.spanId);
  expect(only('forgelog-tracker', /^project issues$/).parentSpanId).toBe(service.spanId);
  expect(only('forgelog-tracker', /^publish kafka$/).parentSpanId).toBe(service.spanId);
  // repo counts open issues from the same event, in another process.
  const elsewhere = spans.filter(
    (span) => span.component === 'projector' && span.service === 'forgelog-repo',
  );
  expect(elsewhere.map(({ parentSpanId }) => parentSpanId)).toContain(service.spanId);
});

test("a push is part of its request's trace", async () => {
  const collector = await startSpanCollector();
  const cluster = await startCluster({ environment: collector.environment });
  const { id } = (await cluster.post('/projects', { name: 'pushed' })).body;
  const file = { branch: 'main', content: 'x', commit_message: 'Add x' };
  const reply = await cluster.post(`/projects/${id}/repository/files/x`, file, { headers });
  expect(reply.status).toBe(201);
  await cluster.stop();
  const spans = collector.spans.filter(({ traceId }) => traceId === TRACE);
  const appends = spans.filter(
    ({ component, service }) => component === 'event-store' && service === 'forgelog-repo',
  );
  expect(appends.length).toBeGreaterThan(0);
});

test('the trace of a git push leads from the gateway through the repo service to the append', async () => {
  const collector = await startSpanCollector();
  const cluster = await startCluster({ environment: collector.environment });
  const { path_with_namespace: path } = (await cluster.post('/projects', { name: 'pushed' })).body;
  const address = addressOf(cluster, path, { name: 'root', secret: ROOT_TOKEN });
  const header = `http.extraHeader=traceparent: ${headers.traceparent}`;
  const folder = await workingCopy();
  await git(folder, '-c', header, 'push', '-q', address, 'HEAD:main');
  await git(folder, '-c', header, 'fetch', '-q', address, 'main');
  await git(await emptyFolder(), '-c', header, 'clone', '-q', address, 'copy');
  await cluster.stop();
  const spans = collector.spans.filter(({ traceId }) => traceId === TRACE);
  const named = (service: string, name: string) =>
    spans.filter((span) => span.service === service && span.name === name);
  for (const [name, method] of [
    ['git-info-refs', 'GET'],
    ['git-upload-pack', 'POST'],
    ['git-receive-pack', 'POST'],
  ]) {
    const inRepo = named('forgelog-repo', `repo ${name}`);
    expect(inRepo.length, name).toBeGreaterThan(0);
    expect(inRepo.filter(({ failed }) => failed)).toEqual([]);
    const doors = named('forgelog-gateway', `${method} ${name}`).map(({ spanId }) => spanId);
    for (const { parentSpanId } of inRepo) expect(doors).toContain(parentSpanId);
  }
  const [push, ...others] = named('forgelog-repo', 'repo git-receive-pack');
  expect(others).toEqual([]);
  const [append] = named('forgelog-repo', 'append RefUpdated');
  expect(append!.parentSpanId).toBe(push!.spanId);
});

test('every process has its own metrics, and only the gateway counts requests', async () => {
  const cluster = await startCluster();
  onTestFinished(() => cluster.stop());
  await cluster.get('/version');
  for (const [name, [running]] of Object.entries(cluster.replicas)) {
    const { types, samples } = await scrape(running!.address);
    expect(types.has('forgelog_http_requests_total'), name).toBe(name === 'gateway');
    expect(types.has('forgelog_git_processes'), name).toBe(name === 'repo');
    expect(
      samples.filter((sample) => sample.name === 'forgelog_projection_lag_seconds').length,
    ).toBeGreaterThan(0);
    expect(types.has('forgelog_append_duration_seconds')).toBe(true);
  }
});
