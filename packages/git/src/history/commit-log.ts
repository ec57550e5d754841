/** Walks history: git finds the ids, the readers load the commits. */
import { type Commit, parseCommit } from '../objects/commit-object.ts';
import { assertOid } from '../objects/object-id.ts';
import { resolveRevision } from '../objects/revision.ts';
import { memoized } from '../process/memoize.ts';
import type { RepositoryContext } from '../repository-context.ts';
import { readablePath } from '../trees/tree-path.ts';
import { type DiffStats, diffStats } from './diff-stats.ts';
import { linearRange, nearRange } from './linear-history.ts';

/** Object ids where a walk starts, and whose history it excludes. */
export interface Range {
  include: string[];
  exclude: string[];
}

export interface LogOptions {
  /** A revision, `a..b` (in b but not in a) or `a...b` (in exactly one). Default HEAD. */
  revision?: string;
  /** Resolved ids, in place of `revision`. */
  range?: Range;
  /** Start at all branches and tags. */
  all?: boolean;
  /** Only commits that changed this path, taken literally. */
  path?: string;
  /** Bounds of the commit time, inclusive. */
  since?: Date;
  until?: Date;
  /** A text in the author's `Name <email>`; not a pattern. */
  author?: string;
  /** A text in the message, in any case of its letters; not a pattern. */
  message?: string;
  firstParent?: boolean;
  noMerges?: boolean;
  order?: 'default' | 'topo';
  offset?: number;
  /** Starts after this commit, which is expected near `offset`. */
  after?: string | undefined;
  limit?: number;
  withStats?: boolean;
}

export type LoggedCommit = Commit & { stats?: DiffStats };
/** `hasMore` is true if there is a next page. */
export interface CommitPage {
  commits: LoggedCommit[];
  hasMore: boolean;
}

export async function readCommit(
  context: RepositoryContext,
  oid: string,
): Promise<Readonly<Commit> | undefined> {
  return memoized(context, ['commit', oid], async () => {
    const object = await context.objects.read(oid);
    return object?.type === 'commit' ? parseCommit(oid, object.content) : undefined;
  });
}

/** Resolves a range or revision; undefined if a name does not exist. */
export async function resolveRange(context: RepositoryContext, revision: string): Promise<Range | undefined> {
  const [, left, dots, right] = /^(.*?)(\.{2,3})(.*)$/.exec(revision) ?? [];
  if (dots === undefined) {
    const only = await resolveRevision(context, revision);
    return only && { include: [only.oid], exclude: [] };
  }
  const [from, to] = await Promise.all(
    [left || 'HEAD', right || 'HEAD'].map((name) => resolveRevision(context, name)),
  );
  if (!from || !to) return undefined;
  if (dots === '..') return { include: [to.oid], exclude: [from.oid] };
  const bases = await context.runner.capture(context, ['merge-base', '--all', from.oid, to.oid], {
    codes: [0, 1],
    weight: 'walk',
  });
  return { include: [from.oid, to.oid], exclude: bases.stdout.toString().split('\n').filter(Boolean) };
}

/** One page of history, newest first; undefined if the revision does not exist or `after` is not in it. */
export async function listCommits(
  context: RepositoryContext,
  options: LogOptions = {},
): Promise<CommitPage | undefined> {
  const limit = options.limit ?? 20;
  const ids = (await plainRange(context, options)) ?? (await walk(context, options, limit));
  if (!ids) return undefined;
  const page = ids.slice(0, limit);
  const commits: LoggedCommit[] = await Promise.all(
    page.map(async (id) => parseCommit(id, await context.objects.need(id, 'commit'))),
  );
  if (options.withStats) {
    const stats = await diffStats(context, commits);
    for (const commit of commits) commit.stats = stats.get(commit.id);
  }
  return { commits, hasMore: ids.length > limit };
}

async function walk(
  context: RepositoryContext,
  options: LogOptions,
  limit: number,
): Promise<string[] | undefined> {
  const args = await walkArguments(context, options);
  if (!args) return undefined;
  const { offset = 0, after } = options;
  const part = async (skip: number, count: number) => {
    const output = await revList(context, [`--skip=${skip}`, `--max-count=${count}`, ...args]);
    return output.split('\n').filter(Boolean);
  };
  if (!after) return part(offset, limit + 1);
  const near = await part(Math.max(0, offset - 1), limit + 2);
  if (near[0] === after) return near.slice(1);
  // Commits were added or removed before it.
  const far = await part(0, offset + FAR + limit);
  const at = far.indexOf(after);
  return at < 0 ? undefined : far.slice(at + 1);
}

/** The most commits that may be added before `after` between two pages. */
const FAR = 10_000;

/** Reads a near range without git: it has one order. */
async function plainRange(
  context: RepositoryContext,
  { range, limit, withStats, order, firstParent, noMerges, ...others }: LogOptions,
): Promise<string[] | undefined> {
  const [from, ...further] = range?.exclude ?? [];
  const [to, ...more] = range?.include ?? [];
  const isPlain = Object.values(others).every((one) => one === undefined || one === 0 || one === false);
  if (!isPlain || !from || !to || further.length > 0 || more.length > 0) return undefined;
  return firstParent || noMerges ? linearRange(context, from, to) : nearRange(context, from, to);
}

/** Counts the commits of a walk, up to `max`; undefined if the revision does not exist. */
export async function countCommits(
  context: RepositoryContext,
  options: LogOptions = {},
  max = 10_001,
): Promise<number | undefined> {
  const args = await walkArguments(context, options);
  if (!args) return undefined;
  return Number(await revList(context, ['--count', `--max-count=${max}`, ...args]));
}

/** Runs a walk. The result is cached if it depends on ids alone, not on all branches. */
async function revList(context: RepositoryContext, args: string[]): Promise<string> {
  const run = async () => {
    const { stdout } = await context.runner.capture(context, ['rev-list', ...args], { weight: 'walk' });
    return stdout.toString('latin1');
  };
  return args.includes('--branches') ? run() : memoized(context, ['rev-list', ...args], run);
}

async function walkArguments(context: RepositoryContext, options: LogOptions): Promise<string[] | undefined> {
  const range =
    options.range ??
    (options.all ? { include: [], exclude: [] } : await resolveRange(context, options.revision ?? 'HEAD'));
  const segments = options.path === undefined ? [] : readablePath(options.path);
  if (!range || !segments) return undefined;
  const args: string[] = [];
  if (options.all && !options.range) args.push('--branches', '--tags');
  if (options.order === 'topo') args.push('--topo-order');
  if (options.firstParent) args.push('--first-parent');
  if (options.noMerges) args.push('--no-merges');
  if (options.since) args.push(`--max-age=${Math.ceil(options.since.getTime() / 1000)}`);
  if (options.until) args.push(`--min-age=${Math.floor(options.until.getTime() / 1000)}`);
  // Fixed strings: never run a caller's pattern.
  if (options.message)
    args.push('--fixed-strings', '--regexp-ignore-case', `--grep=${options.message.replace(/[\0\n]/g, ' ')}`);
  if (options.author) args.push('--fixed-strings', `--author=${options.author.replace(/[\0\n]/g, ' ')}`);
  args.push(...range.include.map(assertOid), ...range.exclude.map((oid) => `^${assertOid(oid)}`), '--');
  if (segments.length > 0) args.push(segments.join('/'));
  return args;
}

/** The newest commit up to `commitOid` that changed this path; undefined if there is none. */
export async function lastCommitOf(
  context: RepositoryContext,
  commitOid: string,
  path: string,
): Promise<string | undefined> {
  const segments = readablePath(path);
  if (!segments) return undefined;
  const literal = segments.join('/');
  return memoized(context, ['last', assertOid(commitOid), literal], async () => {
    const args = ['rev-list', '--max-count=1', commitOid, '--', ...(literal === '' ? [] : [literal])];
    const { stdout } = await context.runner.capture(context, args, { weight: 'walk' });
    return stdout.toString('latin1').trim() || undefined;
  });
}
