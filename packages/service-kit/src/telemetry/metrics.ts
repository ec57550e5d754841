import { withDeadline } from '@forgelog/eventing/deadline.ts';
import type { Meter, ObservableResult } from '@opentelemetry/api';
import * as prom from 'prom-client';

/** Units are seconds and bytes, as Prometheus prescribes. */
export interface Metrics {
  counter(family: Family): Counters;
  histogram(family: Family & { buckets: readonly number[] }): Histograms;
  /**
   * Read at each scrape. A reading that fails or times out leaves out only its own samples; `forgelog_figure_missing`
   * names it.
   */
  gauge(family: Family, read: () => Readings | Promise<Readings>): void;
  countedElsewhere(family: Family, read: () => Readings): void;
  /** prom-client's own metrics of a Node process: `process_*` and `nodejs_*`. */
  processDefaults(): void;
  text(): Promise<string>;
}

export interface Family {
  name: string;
  help: string;
  /** Label names, none by default. Their values must come from a bounded set. */
  labels?: readonly string[];
}

export type Readings = Iterable<readonly [labels: readonly string[], value: number]>;

export interface Counter {
  add(amount?: number): void;
}

export interface Histogram {
  observe(value: number): void;
}

export interface Counters {
  of(...labels: string[]): Counter;
}

export interface Histograms {
  of(...labels: string[]): Histogram;
}

/** Shorter than Prometheus' default scrape timeout of ten seconds. */
const READ_MS = 3_000;

/** @param options.readMs timeout of a reading, in milliseconds */
export function createMetrics({ readMs = READ_MS, meter }: { readMs?: number; meter?: Meter } = {}): Metrics {
  const registry = new prom.Registry();
  const registers = [registry];
  const shapeOf = ({ name, help, labels = [] }: Family) => ({ name, help, labelNames: labels, registers });
  /** The latest reading of each family; true when it failed or is pending. */
  const missing = new Map<string, Promise<boolean>>();

  function readings(
    Kind: typeof prom.Gauge | typeof prom.Counter,
    family: Family,
    read: () => Readings | Promise<Readings>,
  ): void {
    const { name, labels = [] } = family;
    const late = () => new Error(`${name} was not read within ${readMs} ms`);

    async function refresh(metric: prom.Gauge | prom.Counter): Promise<boolean> {
      try {
        const given = read();
        const found = [...(given instanceof Promise ? await withDeadline(given, readMs, late) : given)];
        metric.reset();
        for (const [values, value] of found) metric.inc(named(labels, values), value);
        return false;
      } catch {
        metric.reset();
        // Without labels, a reset leaves a 0.
        if (labels.length === 0) metric.remove();
        return true;
      }
    }

    const metric: prom.Gauge | prom.Counter = new Kind({
      ...shapeOf(family),
      collect: async () => {
        const reading = refresh(metric);
        missing.set(name, reading);
        await reading;
      },
    });
    missing.set(name, Promise.resolve(false));
    if (meter) exportFigures(meter, metric, family, Kind === prom.Counter);
  }

  new prom.Gauge({
    name: 'forgelog_figure_missing',
    help: 'Whether the page had to do without a figure, because what it is read from failed or took too long.',
    labelNames: ['metric'],
    registers,
    async collect() {
      // All readings of a page begin in the same tick.
      await Promise.resolve();
      for (const [metric, reading] of [...missing]) this.set({ metric }, (await reading) ? 1 : 0);
    },
  });

  return {
    counter(family) {
      const metric = new prom.Counter(shapeOf(family));
      if (meter) exportFigures(meter, metric, family, true);
      return {
        of(...labels) {
          const child = labels.length === 0 ? metric : metric.labels(...labels);
          child.inc(0);
          return { add: (amount = 1) => child.inc(amount) };
        },
      };
    },
    histogram(family) {
      const { labels: names = [], buckets } = family;
      const metric = new prom.Histogram({ ...shapeOf(family), buckets: [...buckets] });
      const exported = meter?.createHistogram(family.name, {
        description: family.help,
        advice: { explicitBucketBoundaries: [...buckets] },
      });
      const children = new Map<string, Histogram>();
      return {
        of(...values) {
          const labels = named(names, values);
          const key = JSON.stringify(values);
          let child = children.get(key);
          if (!child) {
            metric.zero(labels);
            const { observe } = metric.labels(...values);
            child = exported
              ? {
                  observe(value) {
                    observe(value);
                    exported.record(value, labels);
                  },
                }
              : { observe };
            children.set(key, child);
          }
          return child;
        },
      };
    },
    gauge: (family, read) => readings(prom.Gauge, family, read),
    countedElsewhere: (family, read) => readings(prom.Counter, family, read),
    processDefaults() {
      const ofProcess = processRegistry();
      for (const { name, help, type } of ofProcess.getMetricsAsArray()) {
        const metric = ofProcess.getSingleMetric(name)!;
        registry.registerMetric(metric);
        const isCounter = String(type) === 'counter';
        if (!meter || (!isCounter && String(type) !== 'gauge')) continue;
        exportFigures(meter, metric as prom.Gauge, { name, help }, isCounter);
      }
    },
    text: () => registry.metrics(),
  };
}

let processMetrics: prom.Registry | undefined;

/** One for the process, whose figures they are: prom-client never ends what it observes for them. */
function processRegistry(): prom.Registry {
  if (!processMetrics) {
    processMetrics = new prom.Registry();
    prom.collectDefaultMetrics({ register: processMetrics });
  }
  return processMetrics;
}

const named = (names: readonly string[], values: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']));

function exportFigures(
  meter: Meter,
  metric: prom.Gauge | prom.Counter,
  { name, help }: Family,
  onlyGrows: boolean,
): void {
  const options = { description: help };
  const instrument = onlyGrows
    ? meter.createObservableCounter(name, options)
    : meter.createObservableGauge(name, options);
  instrument.addCallback(async (result: ObservableResult) => {
    const { values } = await metric.get();
    for (const { value, labels } of values) result.observe(value, labels as Record<string, string>);
  });
}
