import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createMetrics, type Metrics } from './metrics.ts';

const samplesOf = async (metrics: Metrics) =>
  (await metrics.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));

test('a counter prints one sample per combination of labels, escaped', async () => {
  const metrics = createMetrics();
  const seen = metrics.counter({ name: 'seen_total', help: 'Seen.', labels: ['what', 'how'] });
  seen.of('a', 'b').add();
  seen.of('a', 'b').add(2);
  seen.of('quote"\\\n', 'b').add();
  expect(await metrics.text()).toContain(
    [
      '# HELP seen_total Seen.',
      '# TYPE seen_total counter',
      'seen_total{what="a",how="b"} 3',
      'seen_total{what="quote\\"\\\\\\n",how="b"} 1',
      '',
    ].join('\n'),
  );
});

test('a metric without labels exists before its first count', async () => {
  const metrics = createMetrics();
  metrics.counter({ name: 'seen_total', help: 'Seen.' });
  expect(await metrics.text()).toContain('\nseen_total 0\n');
});

test('histogram buckets are cumulative', async () => {
  const metrics = createMetrics();
  const histogram = metrics.histogram({ name: 'took_seconds', help: 'Took.', buckets: [1, 2] });
  for (const value of [0.5, 1, 1.5, 7]) histogram.of().observe(value);
  expect(await samplesOf(metrics)).toEqual([
    'took_seconds_bucket{le="1"} 2',
    'took_seconds_bucket{le="2"} 3',
    'took_seconds_bucket{le="+Inf"} 4',
    'took_seconds_sum 10',
    'took_seconds_count 4',
  ]);
});

test('a failing or slow gauge leaves out only its own samples and is named', async () => {
  const metrics = createMetrics({ readMs: 20 });
  metrics.gauge({ name: 'broken', help: 'Broken.' }, () => Promise.reject(new Error('away')));
  metrics.gauge({ name: 'silent', help: 'Silent.' }, () => new Promise(() => {}));
  metrics.gauge({ name: 'whole', help: 'Whole.', labels: ['x'] }, () => [[['1'], 2]]);
  expect(await samplesOf(metrics)).toEqual([
    'forgelog_figure_missing{metric="broken"} 1',
    'forgelog_figure_missing{metric="silent"} 1',
    'forgelog_figure_missing{metric="whole"} 0',
    'whole{x="1"} 2',
  ]);
});

test('a labelled figure disappears while its reading fails, then comes back', async () => {
  const metrics = createMetrics();
  let isAway = false;
  metrics.gauge({ name: 'lag', help: 'Lag.', labels: ['of'] }, () => {
    if (isAway) throw new Error('away');
    return [[['a'], 1]];
  });
  const lag = async () => (await samplesOf(metrics)).filter((line) => line.startsWith('lag'));
  expect(await lag()).toEqual(['lag{of="a"} 1']);
  isAway = true;
  expect(await lag()).toEqual([]);
  isAway = false;
  expect(await lag()).toEqual(['lag{of="a"} 1']);
});

test('each combination of labels has one histogram', async () => {
  const metrics = createMetrics();
  const took = metrics.histogram({ name: 'took_seconds', help: 'Took.', labels: ['by'], buckets: [1] });
  took.of('a').observe(1);
  took.of('a').observe(1);
  expect(await samplesOf(metrics)).toContain('took_seconds_count{by="a"} 2');
});

test('a name cannot be declared twice', () => {
  const metrics = createMetrics();
  metrics.counter({ name: 'seen_total', help: 'Seen.' });
  expect(() => metrics.counter({ name: 'seen_total', help: 'Seen.' })).toThrow('already been registered');
});

test('the figures of the process are on each page, and hold nothing of a host that has stopped', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const startAndStop = async () => {
    const host = { open: 1 };
    const metrics = createMetrics();
    metrics.gauge({ name: 'open', help: 'Open.' }, () => [[[], host.open]]);
    metrics.processDefaults();
    expect(await metrics.text()).toMatch(/^process_cpu_seconds_total /m);
    return new WeakRef(host);
  };
  const hosts = [await startAndStop(), await startAndStop()];
  const left = () => {
    collect();
    return hosts.filter((host) => host.deref()).length;
  };
  await expect.poll(left).toBe(0);
});
