import { withDeadline } from '@forgelog/eventing/deadline.ts';

/**
 * Figures of one process in memory, printed for Prometheus when it asks. Counting costs a map look-up and an
 * addition; nothing runs between scrapes. Units are seconds and bytes, as Prometheus wants them.
 */
export interface Metrics {
  counter(family: Family): Counters;
  histogram(family: Family & { buckets: readonly number[] }): Histograms;
  /**
   * Read when asked for. A reading that fails, or takes too long, leaves its samples out and no others;
   * `forgelog_figure_missing` names it.
   */
  gauge(family: Family, read: () => Readings | Promise<Readings>): void;
  /** Like a gauge, of something that only grows and is counted elsewhere. */
  countedElsewhere(family: Family, read: () => Readings): void;
  /** The text exposition format, version 0.0.4. */
  text(): Promise<string>;
}

export interface Family {
  name: string;
  help: string;
  /** Names of labels, none by default. Their values must come from a bounded set. */
  labels?: readonly string[];
}

/** Values of the labels, in the family's order, and the figure. */
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

interface Printed {
  family: Family;
  type: 'counter' | 'gauge' | 'histogram';
  samples(): Promise<string[]> | string[];
}

/** Shorter than the ten seconds after which Prometheus gives a scrape up by default. */
const READ_MS = 3_000;

/** @param readMs how long a page waits for a figure that is read when asked for */
export function createMetrics({ readMs = READ_MS } = {}): Metrics {
  const families = new Map<string, Printed>();
  /** What is read when asked for: whether the last page had to do without. */
  const missing = new Map<string, boolean>();

  function declare(printed: Printed): void {
    const { name } = printed.family;
    if (families.has(name)) throw new Error(`metric ${name} is declared twice`);
    families.set(name, printed);
  }

  function readings(type: Printed['type'], family: Family, read: () => Readings | Promise<Readings>): void {
    const { name, labels } = family;
    const late = () => new Error(`${name} was not read within ${readMs} ms`);
    const samples = async () => {
      try {
        const given = read();
        const found = given instanceof Promise ? await withDeadline(given, readMs, late) : given;
        const lines = [...found].map(([values, value]) => sample(name, labels, values, value));
        missing.set(name, false);
        return lines;
      } catch {
        missing.set(name, true);
        return [];
      }
    };
    declare({ family, type, samples });
    missing.set(name, false);
  }

  return {
    counter(family) {
      const children = new Children(family.labels, () => new Count());
      const samples = () =>
        children.all().map(({ labels, child }) => sample(family.name, family.labels, labels, child.value));
      declare({ family, type: 'counter', samples });
      return children;
    },
    histogram(family) {
      const children = new Children(family.labels, () => new Distribution(family.buckets));
      const samples = () =>
        children.all().flatMap(({ labels, child }) => child.samples(family.name, family.labels, labels));
      declare({ family, type: 'histogram', samples });
      return children;
    },
    gauge: (family, read) => readings('gauge', family, read),
    countedElsewhere: (family, read) => readings('counter', family, read),
    async text() {
      const parts = await Promise.all(
        [...families.values()].map(async ({ family, type, samples }) => head(family, type, await samples())),
      );
      const missed = [...missing].map(([name, is]) =>
        sample(MISSING.name, MISSING.labels, [name], is ? 1 : 0),
      );
      parts.push(head(MISSING, 'gauge', missed));
      return `${parts.flat().join('\n')}\n`;
    },
  };
}

const MISSING = {
  name: 'forgelog_figure_missing',
  help: 'Whether the page had to do without a figure, because what it is read from failed or took too long.',
  labels: ['metric'],
};

const head = ({ name, help }: Family, type: Printed['type'], samples: readonly string[]): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
  ...samples,
];

/** One child for each combination of label values that was seen. */
class Children<Child> {
  readonly #make: () => Child;
  readonly #children = new Map<string, { labels: readonly string[]; child: Child }>();

  constructor(labels: readonly string[] | undefined, make: () => Child) {
    this.#make = make;
    // What has no labels is there from the start, so that its rate is known from the first scrape on.
    if (!labels?.length) this.of();
  }

  of(...labels: string[]): Child {
    const key = labels.length === 1 ? labels[0]! : labels.join('\0');
    let entry = this.#children.get(key);
    if (!entry) {
      entry = { labels, child: this.#make() };
      this.#children.set(key, entry);
    }
    return entry.child;
  }

  all() {
    return [...this.#children.values()];
  }
}

class Count implements Counter {
  value = 0;

  add(amount = 1): void {
    this.value += amount;
  }
}

class Distribution implements Histogram {
  readonly #bounds: readonly number[];
  /** Of each bucket alone; they are summed up when printed. */
  readonly #counts: number[];
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    let bucket = 0;
    while (bucket < this.#bounds.length && value > this.#bounds[bucket]!) bucket++;
    this.#counts[bucket]!++;
    this.#sum += value;
  }

  samples(name: string, labels: readonly string[] = [], values: readonly string[]): string[] {
    let total = 0;
    const lines = this.#counts.map((count, bucket) => {
      total += count;
      const bound = bucket < this.#bounds.length ? String(this.#bounds[bucket]) : '+Inf';
      return sample(`${name}_bucket`, [...labels, 'le'], [...values, bound], total);
    });
    lines.push(sample(`${name}_sum`, labels, values, this.#sum));
    lines.push(sample(`${name}_count`, labels, values, total));
    return lines;
  }
}

function sample(
  name: string,
  labels: readonly string[] = [],
  values: readonly string[],
  value: number,
): string {
  if (labels.length === 0) return `${name} ${value}`;
  const pairs = labels.map((label, index) => `${label}="${escaped(values[index] ?? '')}"`);
  return `${name}{${pairs.join(',')}} ${value}`;
}

const escaped = (text: string) =>
  text.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
