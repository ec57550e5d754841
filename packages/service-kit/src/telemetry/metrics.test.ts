import { expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

test('counters print one sample for each combination of labels, escaped', async () => {
  const metrics = createMetrics();
  const seen = metrics.counter({ name: 'seen_total', help: 'Seen.', labels: ['what', 'how'] });
  seen.of('a', 'b').add();
  seen.of('a', 'b').add(2);
  seen.of('quote"\\\n', 'b').add();
  expect(await metrics.text()).toBe(
    [
      '# HELP seen_total Seen.',
      '# TYPE seen_total counter',
      'seen_total{what="a",how="b"} 3',
      'seen_total{what="quote\\"\\\\\\n",how="b"} 1',
      '# HELP forgelog_figure_missing Whether the page had to do without a figure, because what it is read from failed or took too long.',
      '# TYPE forgelog_figure_missing gauge',
      '',
    ].join('\n'),
  );
});

test('what has no labels is there before it was first counted', async () => {
  const metrics = createMetrics();
  metrics.counter({ name: 'seen_total', help: 'Seen.' });
  expect(await metrics.text()).toContain('\nseen_total 0\n');
});

test('buckets of a histogram hold everything up to their bound', async () => {
  const metrics = createMetrics();
  const histogram = metrics.histogram({ name: 'took_seconds', help: 'Took.', buckets: [1, 2] });
  for (const value of [0.5, 1, 1.5, 7]) histogram.of().observe(value);
  const lines = (await metrics.text()).split('\n').slice(2, 7);
  expect(lines).toEqual([
    'took_seconds_bucket{le="1"} 2',
    'took_seconds_bucket{le="2"} 3',
    'took_seconds_bucket{le="+Inf"} 4',
    'took_seconds_sum 10',
    'took_seconds_count 4',
  ]);
});

test('a gauge that cannot be read, or not in time, leaves out its samples and no others, and is named', async () => {
  const metrics = createMetrics({ readMs: 20 });
  metrics.gauge({ name: 'broken', help: 'Broken.' }, () => Promise.reject(new Error('away')));
  metrics.gauge({ name: 'silent', help: 'Silent.' }, () => new Promise(() => {}));
  metrics.gauge({ name: 'whole', help: 'Whole.', labels: ['x'] }, () => [[['1'], 2]]);
  expect((await metrics.text()).split('\n').filter((line) => !line.startsWith('#'))).toEqual([
    'whole{x="1"} 2',
    'forgelog_figure_missing{metric="broken"} 1',
    'forgelog_figure_missing{metric="silent"} 1',
    'forgelog_figure_missing{metric="whole"} 0',
    '',
  ]);
});

test('a name is declared once', () => {
  const metrics = createMetrics();
  metrics.counter({ name: 'seen_total', help: 'Seen.' });
  expect(() => metrics.counter({ name: 'seen_total', help: 'Seen.' })).toThrow('declared twice');
});
