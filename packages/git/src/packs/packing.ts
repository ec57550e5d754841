/**
 * Packs loose objects, and merges packs: see docs/adr/0017-repositories-are-packed-as-they-grow.md.
 *
 * A pack is written in a folder aside, synced and moved in; only then are the copied objects deleted. So each object
 * exists at any moment, and a crash leaves at most the folder aside.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { alternatesValue } from '../process/command-environment.ts';
import type { RunOptions } from '../process/git-runner.ts';
import type { RepositoryContext } from '../repository-context.ts';
import { writeCommitGraph } from './commit-graph.ts';
import { listLoose } from './loose-objects.ts';
import { freePacks, isWithin, movePack, objectsInPack, packsToGather, removePack } from './pack-files.ts';

/** Thresholds: loose objects from this number on, and packs above this number. */
export interface PackBounds {
  looseObjects: number;
  packs: number;
}
export interface Packed {
  looseObjects: number;
  packs: number;
}

export interface Packing {
  /** Both are 0 below the thresholds, and while the repository is excluded. Rejects with git's failure. */
  run(context: RepositoryContext, bounds: PackBounds, signal?: AbortSignal): Promise<Packed>;
  /** Ends packing in a repository and excludes it until the returned function is called. */
  keepOut(gitDir: string): Promise<() => void>;
}

/** One of the kinds in sweep.ts. */
const ASIDE = 'tmp_objdir-packing-';
const DEADLINE_MS = 1_800_000;
/** Most objects in one pack; the rest go into the next. */
const MOST_LOOSE = 50_000;

export function createPacking(): Packing {
  const running = new Map<string, { stop: AbortController; ended: Promise<unknown> }>();
  const keptOut = new Set<string>();
  return {
    async run(context, bounds, signal) {
      const { gitDir } = context;
      if (keptOut.has(gitDir) || running.has(gitDir)) return { looseObjects: 0, packs: 0 };
      const stop = new AbortController();
      const signals = signal ? [signal, stop.signal] : [stop.signal];
      const work = packRepository(context, bounds, AbortSignal.any(signals));
      running.set(gitDir, { stop, ended: work.catch(() => {}) });
      return work.finally(() => running.delete(gitDir));
    },
    async keepOut(gitDir) {
      keptOut.add(gitDir);
      const run = running.get(gitDir);
      run?.stop.abort();
      await run?.ended;
      return () => void keptOut.delete(gitDir);
    },
  };
}

async function packRepository(
  context: RepositoryContext,
  bounds: PackBounds,
  signal: AbortSignal,
): Promise<Packed> {
  const packed = { looseObjects: 0, packs: 0 };
  for (;;) {
    const loose = await listLoose(objectsOf(context), MOST_LOOSE);
    if (loose.length < bounds.looseObjects) break;
    const gone = await packLoose(context, loose, signal);
    packed.looseObjects += gone;
    if (gone === 0 || loose.length < MOST_LOOSE) break;
  }
  const packs = await freePacks(objectsOf(context));
  if (packs.length > bounds.packs) packed.packs = await gather(context, packsToGather(packs), signal);
  if (packed.looseObjects > 0 || packed.packs > 0) await writeCommitGraph(context, runsBehind(signal));
  return packed;
}

const objectsOf = ({ gitDir }: RepositoryContext) => join(gitDir, 'objects');

/** Returns the number of packed objects. It packs unreachable ones too. */
async function packLoose(
  context: RepositoryContext,
  loose: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const lines = (await withPaths(context, loose, signal)).join('\n');
  const input = Buffer.from(`${lines}\n`, 'latin1');
  const packed = await objectsInPack(objectsOf(context), await intoOnePack(context, [], input, signal));
  let gone = 0;
  for (const oid of loose) {
    if (!packed.has(oid)) continue;
    // The folders stay: the writer of loose objects relies on those that it found.
    await rm(join(objectsOf(context), oid.slice(0, 2), oid.slice(2)), { force: true });
    gone += 1;
  }
  return gone;
}

/** Returns the number of merged packs. */
async function gather(
  context: RepositoryContext,
  packs: readonly { name: string }[],
  signal: AbortSignal,
): Promise<number> {
  if (packs.length === 0) return 0;
  const input = packs.map(({ name }) => `${name}.pack\n`).join('');
  const made = await intoOnePack(context, ['--stdin-packs'], input, signal);
  for (const { name } of packs) {
    if (name === made) continue;
    // git promises the same, but a mistake would lose objects, and the check is cheap.
    if (!(await isWithin(objectsOf(context), name, made)))
      throw new Error(`${made} lacks objects of ${name}: both are kept`);
    await removePack(objectsOf(context), name);
  }
  return packs.length;
}

/** Runs pack-objects on a list, moves the pack into place, and returns its name. */
async function intoOnePack(
  context: RepositoryContext,
  options: readonly string[],
  input: string | Buffer,
  signal: AbortSignal,
): Promise<string> {
  const objects = objectsOf(context);
  const aside = await mkdtemp(join(objects, ASIDE));
  try {
    await mkdir(join(aside, 'pack'));
    const args = ['pack-objects', ...options, '--delta-base-offset', '-q', join(aside, 'pack/pack')];
    const { stdout } = await context.runner.capture(context, args, {
      ...runsBehind(signal),
      input,
      config: ONE_OF_MANY,
      env: { GIT_OBJECT_DIRECTORY: aside, GIT_ALTERNATE_OBJECT_DIRECTORIES: alternatesValue([objects]) },
    });
    const name = `pack-${stdout.toString('latin1').trim()}`;
    await movePack(name, aside, objects);
    return name;
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** One core, and little memory, since a server has many repositories. */
const ONE_OF_MANY: [string, string][] = [
  ['pack.threads', '1'],
  ['pack.windowMemory', '128m'],
];

const runsBehind = (signal: AbortSignal): RunOptions => ({
  weight: 'background',
  deadlineMs: DEADLINE_MS,
  signal,
});

/**
 * The ids as lines for pack-objects. Reachable ones come in the order of history and with their paths, by which git finds
 * similar objects. If the history cannot be walked, all are packed without paths.
 */
async function withPaths(
  context: RepositoryContext,
  loose: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const args = ['rev-list', '--objects', '--all', '--unpacked'];
  const { stdout } = await context.runner.capture(context, args, { ...runsBehind(signal), codes: [0, 128] });
  const left = new Set(loose);
  const lines = stdout
    .toString('latin1') // a path is any bytes
    .split('\n')
    .filter((line) => left.delete(line.slice(0, 40)));
  return [...lines, ...left];
}
