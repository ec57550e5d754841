/** Numbers that a seed decides, so that what one run found another can find again. */
export function createRandom(seed: number): { below(limit: number): number; pick<T>(from: readonly T[]): T } {
  let state = seed >>> 0;
  const next = () => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { below, pick: (from) => from[below(from.length)]! };
}

/** `npm run chaos` gives both; without them the short form runs, the same each time. */
export const faultSeed = Number(process.env.FAULT_SEED ?? 1);
/**
 * How many rounds each case of a fault test has.
 * @param short in `npm test`
 * @param all in `.ci/run`, where all kinds have their turn
 */
export function faultRounds(short: number, all = short): number {
  const rounds = process.env.ALL_TESTS === undefined ? short : all;
  return Math.max(rounds, Math.round(rounds * Number(process.env.FAULT_SCALE ?? 1)));
}
