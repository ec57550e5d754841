import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { fed, fedCluster } from '../support/fed.ts';

test('where services run apart, the gateway records, serves and publishes the access log', async () => {
  const { cluster, feeds } = await fedCluster();
  const before = await cluster.store.head();
  await cluster.get('/user', { token: 'never-was-a-token' });
  await cluster.get('/user');
  const page = await eventually(
    'both are in the access log',
    () => cluster.get('/access_event_stream', { headers: { Accept: 'application/x-ndjson' } }),
    { until: ({ text }) => text.split('\n').length > 2 },
  );
  const events = page.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.map(({ type }) => type).toSorted()).toEqual(['CredentialRefused', 'CredentialUsed']);
  const [gateway] = cluster.replicas.gateway;
  await fed(gateway!.accessRelay!);
  const messages = feeds.get('gateway-0')!;
  expect(messages.map(({ topic, value }) => [topic, JSON.parse(value)])).toEqual(
    events.map((event) => ['forgelog.access', event]),
  );
  expect(await cluster.store.head()).toBe(before);
});
