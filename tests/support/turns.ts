/**
 * Cases that take turns in `npm test`: of each `every` one, another one for each key, so that over all keys every case
 * has its turn. `.ci/run` takes all.
 * @param key what the cases are about, such as an endpoint's id
 */
export function inTurns<T>(cases: readonly T[], key: string, every: number): readonly T[] {
  if (process.env.ALL_TESTS !== undefined) return cases;
  let first = 0;
  for (let at = 0; at < key.length; at++) first = (first * 31 + key.charCodeAt(at)) % 65_521;
  return cases.filter((_, at) => (at + first) % every === 0);
}
