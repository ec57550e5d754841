import { type LoadOptions, load } from './load.ts';
import type { MeasuredProcess } from './measured-process.ts';
import { median } from './statistics.ts';

export interface Side {
  process: MeasuredProcess;
  load: Pick<LoadOptions, 'next' | 'status' | 'connections'>;
}

/** One side's figures in one round. */
export interface Round {
  /** Microseconds of processor time per request, over all threads of the server. */
  cpu: number;
  /** Requests per second. */
  rate: number;
  /** Milliseconds. */
  p50: number;
  /** Milliseconds, see `Usage`. */
  longestWork: number;
}

/**
 * Applies the same load to all sides in turn, round by round, so that other load on the machine affects all alike. The
 * first rounds, during JIT compilation, are discarded. `by` selects the wanted figure.
 */
export async function compare<Name extends string>(
  sides: Readonly<Record<Name, Side>>,
  {
    rounds,
    seconds,
    warm = seconds,
    by,
  }: { rounds: number; seconds: number; warm?: number; by: 'cpu' | 'rate' },
): Promise<Record<Name, Round[]>> {
  const names = Object.keys(sides) as Name[];
  const measured = Object.fromEntries(names.map((name) => [name, [] as Round[]])) as Record<Name, Round[]>;
  for (const name of names) await burst(sides[name], 3 * warm, by);
  for (let round = 0; round < rounds; round += 1) {
    // Alternate the order between rounds.
    const order = round % 2 === 0 ? names : names.toReversed();
    for (const name of order) measured[name].push(await burst(sides[name], seconds, by));
  }
  return measured;
}

const MOST = 200_000;

async function burst({ process, load: given }: Side, seconds: number, by: 'cpu' | 'rate'): Promise<Round> {
  const before = await process.usage();
  const done = await load({ ...given, port: process.port, requests: MOST, seconds, awake: by === 'cpu' });
  const after = await process.usage();
  return {
    cpu: (after.cpu - before.cpu) / done.requests,
    rate: done.requests / done.seconds,
    p50: median(done.latencies),
    longestWork: after.longestWork,
  };
}

/** The ratio of two sides, per round. */
export function ratios(over: readonly Round[], under: readonly Round[], of: keyof Round): number[] {
  return over.map((round, at) => round[of] / under[at]![of]);
}

/** `31 µs, 28000/s` */
export function figures(rounds: readonly Round[]): string {
  const cpu = median(rounds.map((round) => round.cpu));
  const rate = median(rounds.map((round) => round.rate));
  return `${cpu.toFixed(cpu < 1000 ? 1 : 0)} µs, ${Math.round(rate)}/s`;
}
