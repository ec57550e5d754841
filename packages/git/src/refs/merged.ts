/** Finds which commits are merged into a branch. Results are cached until the branch moves. */
import { GitTimeoutError } from '../errors.ts';
import { nearRange } from '../history/linear-history.ts';
import { assertOid } from '../objects/object-id.ts';
import { answerKey } from '../process/memoize.ts';
import type { RepositoryContext } from '../repository-context.ts';
import { listRefs } from './ref-store.ts';

/** The cache of one repository for its last tip, which is mostly the default branch's. */
interface Known {
  tip: string;
  merged: Map<string, boolean>;
}

const MOST_KNOWN = 100_000;
/** Approximate bytes in memory per commit. */
const ID_BYTES = 120;
/** Bytes of git's output: 41 for each commit that is not merged. */
const LARGEST_OF_ALL = 8 * 1024 * 1024;
const LARGEST = 64 * 1024 * 1024;

/** Returns those commits that are in the history of `tip`. */
export async function mergedInto(
  context: RepositoryContext,
  oids: readonly string[],
  tip: string,
): Promise<Set<string>> {
  const others = [...new Set(oids)].filter((oid) => oid !== tip);
  if (others.length === 0) return new Set(oids);
  const known = await knownOf(context, assertOid(tip));
  const unknown = others.filter((oid) => !known.has(oid)).map(assertOid);
  if (unknown.length === 0) return new Set(oids.filter((oid) => oid === tip || known.get(oid)));
  const merged = new Map([...known, ...(await find(context, unknown, tip, known))]);
  keep(context, { tip, merged });
  return new Set(oids.filter((oid) => oid === tip || merged.get(oid)));
}

/** Walks once for all refs: a walk from a few pages of branches costs as much as one from all. */
async function find(
  context: RepositoryContext,
  oids: readonly string[],
  tip: string,
  known: Map<string, boolean>,
) {
  if (known.size > 0) {
    const tips = (await listRefs(context, 'refs/heads/')).map(({ oid }) => oid);
    const all = new Set([...oids, ...tips.filter((oid) => oid !== tip && !known.has(oid))]);
    const found = all.size <= MOST_KNOWN && (await walk(context, [...all], tip, LARGEST_OF_ALL));
    if (found) return found;
  }
  const found = await walk(context, oids, tip, LARGEST);
  if (!found) throw new GitTimeoutError('what is not merged is too much');
  return found;
}

async function knownOf(context: RepositoryContext, tip: string): Promise<Map<string, boolean>> {
  const known = context.answers.get(keyOf(context)) as Known | undefined;
  if (!known) return new Map();
  if (known.tip === tip) return known.merged;
  // If `tip` only gained commits, merged ones stay merged and just the new ones join them.
  const line = await nearRange(context, known.tip, tip);
  if (!line) return new Map();
  const merged = new Map([...known.merged, ...[known.tip, ...line].map((oid) => [oid, true] as const)]);
  keep(context, { tip, merged });
  return merged;
}

function keep(context: RepositoryContext, known: Known): void {
  if (known.merged.size > MOST_KNOWN) known.merged.clear();
  context.answers.set(keyOf(context), known, ID_BYTES * (known.merged.size + 5));
}

const keyOf = (context: RepositoryContext): string => answerKey(context, ['merged']);

/** Returns undefined if the output exceeds the limit. */
async function walk(
  context: RepositoryContext,
  oids: readonly string[],
  tip: string,
  maxBytes: number,
): Promise<[string, boolean][] | undefined> {
  const input = `${[...oids, `^${tip}`].join('\n')}\n`;
  const run = { input, maxBytes, weight: 'walk' } as const;
  const { stdout, truncated } = await context.runner.capture(context, ['rev-list', '--stdin'], run);
  if (truncated) return undefined;
  const outside = new Set(stdout.toString('latin1').split('\n'));
  return oids.map((oid) => [oid, !outside.has(oid)]);
}
