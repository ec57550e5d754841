/** Goals that have a name beside their number. */
const NAMED: Readonly<Record<string, number>> = { split: 27, replica: 32 };

/** `npm run bench -- [--quick] [--only N]… [--rounds N] [--seed-only]`; N is a number or a name. */
export interface Options {
  quick: boolean;
  seedOnly: boolean;
  /** Goals to measure; empty for all. */
  only: number[];
  rounds: number;
  /** Number of issues per data set. */
  large: number;
  small: number;
  /** Seconds per side and round. */
  seconds: number;
}

/** @throws RangeError for an unknown option */
export function readOptions(given: readonly string[]): Options {
  const only: number[] = [];
  let quick = false;
  let seedOnly = false;
  let rounds: number | undefined;
  for (let at = 0; at < given.length; at += 1) {
    switch (given[at]) {
      case '--quick':
        quick = true;
        break;
      case '--seed-only':
        seedOnly = true;
        break;
      case '--only':
        only.push(...(given[++at] ?? '').split(',').map((goal) => NAMED[goal] ?? wholeNumber(goal)));
        break;
      case '--rounds':
        rounds = wholeNumber(given[++at] ?? '');
        break;
      default:
        throw new RangeError(`${given[at]} is none of --quick, --seed-only, --only N, --rounds N`);
    }
  }
  const size = quick
    ? { large: 20_000, small: 2000, seconds: 0.3 }
    : { large: 1_000_000, small: 10_000, seconds: 1 };
  return { quick, seedOnly, only, rounds: rounds ?? 7, ...size };
}

function wholeNumber(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new RangeError(`expected a number instead of ${text || 'nothing'}`);
  return Number(text);
}
