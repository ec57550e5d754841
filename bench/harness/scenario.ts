import type { Options } from './options.ts';
import type { Seeded } from './seed.ts';
import { fulfils, summarise, type Target } from './statistics.ts';

/** What a scenario may use. */
export interface Bench {
  options: Options;
  /** The large data and the small; made when first asked for. */
  data(size: 'large' | 'small'): Promise<Seeded>;
  /** A copy of the small data that may be written to; it goes with the scenario. */
  copy(): Promise<Seeded>;
  /** A folder that goes with the scenario. */
  folder(): Promise<string>;
  tell(progress: string): void;
}

export interface Scenario {
  goals: readonly number[];
  run(bench: Bench): Promise<Result[]>;
}

/** A line of the table, and of `bench/out/latest.json`. */
export interface Result {
  goal: number;
  name: string;
  /** Median over the rounds. */
  ratio: number;
  target: Target;
  spread: number;
  ok: boolean;
  /** The absolute figures behind it, for a reader; they belong to the machine. */
  detail: string;
}

export function result(
  goal: number,
  name: string,
  target: Target,
  ratios: readonly number[],
  detail: string,
): Result {
  const { median, spread } = summarise(ratios);
  return { goal, name, ratio: median, target, spread, ok: fulfils(median, target), detail };
}
