import type { Options } from './options.ts';
import type { Seeded } from './seed.ts';
import { fulfils, summarise, type Target } from './statistics.ts';

export interface Bench {
  options: Options;
  /** Created on first use. */
  data(size: 'large' | 'small'): Promise<Seeded>;
  /** A writable copy of the small data, deleted after the scenario. */
  copy(): Promise<Seeded>;
  /** A folder that is deleted after the scenario. */
  folder(): Promise<string>;
  tell(progress: string): void;
}

export interface Scenario {
  goals: readonly number[];
  run(bench: Bench): Promise<Result[]>;
}

/** A row of the table and of `bench/out/latest.json`. */
export interface Result {
  goal: number;
  name: string;
  /** Median over the rounds. */
  ratio: number;
  target: Target;
  spread: number;
  ok: boolean;
  /** Absolute figures, which depend on the machine. */
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
