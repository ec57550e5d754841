import { type LoadOptions, load } from './load.ts';
import type { MeasuredProcess } from './measured-process.ts';
import { median } from './statistics.ts';

/** One side of a comparison. */
export interface Side {
  process: MeasuredProcess;
  load: Pick<LoadOptions, 'next' | 'status' | 'connections'>;
}

/** Of one side in one round. */
export interface Round {
  /** Microseconds of processor time a request, all threads of the server. */
  cpu: number;
  /** Requests a second. */
  rate: number;
  /** Milliseconds. */
  p50: number;
  /** Milliseconds, see `Usage`. */
  longestWork: number;
}

/**
 * Puts the same load on each side in turn, round by round, so that whatever else the machine does falls on all of
 * them alike. The first rounds, in which programs are still compiled, do not count. `by` says which figure is wanted.
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
    // The one that comes first differs from round to round.
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

/** Per round: what `of` says of one side, over what it says of the other. */
export function ratios(over: readonly Round[], under: readonly Round[], of: keyof Round): number[] {
  return over.map((round, at) => round[of] / under[at]![of]);
}

/** `31 µs, 28000/s` */
export function figures(rounds: readonly Round[]): string {
  const cpu = median(rounds.map((round) => round.cpu));
  const rate = median(rounds.map((round) => round.rate));
  return `${cpu.toFixed(cpu < 1000 ? 1 : 0)} µs, ${Math.round(rate)}/s`;
}
