import { ACCESS_LOG, topicOf } from '@forgelog/contracts/event.ts';
import type { FeedMessage } from '@forgelog/eventing/feed.ts';
import type { RunningHost } from '@forgelog/host/host-options.ts';
import { expect, test } from 'vitest';
import type { Cluster } from '../support/cluster.ts';
import { publishedPositions } from '../support/consumed-feed.ts';
import { eventually } from '../support/eventually.ts';
import { fed, fedCluster } from '../support/fed.ts';
import { scrape } from '../support/metrics.ts';

/** Positions of a service's events in the log, which nobody else's are among. */
async function positionsOf({ store }: Cluster, types: RegExp): Promise<string[]> {
  const events = await store.readAll({ after: '', limit: 100_000 });
  return publishedPositions(
    store,
    events.filter(({ type }) => types.test(type)),
  );
}
const positions = (messages: readonly FeedMessage[]) => messages.map(({ headers }) => headers.position);
const untilFed = async (...processes: RunningHost[]) => {
  for (const { relay } of processes) await fed(relay!);
};
async function lagOf({ address }: RunningHost): Promise<number | undefined> {
  const { samples } = await scrape(address);
  return samples.find(({ name, labels }) => name === 'forgelog_feed_lag_seconds' && labels.feed === 'kafka')
    ?.value;
}

test('each service publishes its own events, and the gateway those of the access log', async () => {
  const { cluster, feeds } = await fedCluster();
  const { id } = (await cluster.post('/projects', { name: 'fed' })).body;
  await cluster.post(`/projects/${id}/issues`, { title: 'One' });
  await cluster.post(`/projects/${id}/freeze_periods`, {
    freeze_start: '0 23 * * 5',
    freeze_end: '0 7 * * 1',
  });
  const { gateway, repo, tracker, ci, admin } = cluster.replicas;
  await untilFed(repo[0]!, tracker[0]!, ci[0]!, admin[0]!);
  await eventually('the access log is written', () => feeds.get('gateway-0')!.length > 0);
  expect([...feeds.keys()].sort()).toEqual(['admin-0', 'ci-0', 'gateway-0', 'repo-0', 'tracker-0']);
  expect(gateway[0]!.relay).toBeUndefined();
  for (const [process, messages] of feeds) {
    expect(messages.length, process).toBeGreaterThan(0);
    expect(new Set(messages.map(({ topic }) => topic))).toEqual(
      new Set([topicOf(process === 'gateway-0' ? ACCESS_LOG : process.replace('-0', ''))]),
    );
  }
  feeds.delete('gateway-0');
  const sent = [...feeds.values()].flatMap(positions);
  expect(sent.toSorted()).toEqual(await positionsOf(cluster, /^(?!IdsReserved)/));
});

test('one of two replicas publishes, and its successor resumes without gap or repeat', async () => {
  const { cluster, feeds } = await fedCluster({ replicas: { tracker: 2 } });
  const { id } = (await cluster.post('/projects', { name: 'fed' })).body;
  const open = async (title: string) =>
    expect((await cluster.post(`/projects/${id}/issues`, { title })).status).toBe(201);
  for (const title of ['1', '2', '3']) await open(title);
  const { tracker } = cluster.replicas;
  await untilFed(...tracker);
  const messagesOf = (replica: number) => feeds.get(`tracker-${replica}`)!;
  const holder = messagesOf(0).length > 0 ? 0 : 1;
  expect(messagesOf(1 - holder)).toEqual([]);
  // Who waits knows how far the other is: both tell the truth of the lag.
  for (const replica of tracker) expect(await lagOf(replica)).toBe(0);

  await tracker[holder]!.relay!.stop();
  for (const title of ['4', '5']) await open(title);
  await untilFed(tracker[1 - holder]!);
  const sent = [...messagesOf(holder), ...messagesOf(1 - holder)];
  expect(positions(sent)).toEqual(await positionsOf(cluster, /^(Issue|Todo|Discussion|Note|Time)/));
  expect(messagesOf(1 - holder).length).toBeGreaterThan(0);
});
