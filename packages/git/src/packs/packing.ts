/**
 * Gathers loose objects into packs, and packs into fewer: see docs/adr/0017-repositories-are-packed-as-they-grow.md.
 *
 * A pack is made aside, synced and moved in; only then goes what it holds a copy of. So whatever the repository has is
 * there at any moment, and whatever git or we were doing when we ended, one folder aside is all that is left over.
 */
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { alternatesValue } from '../process/command-environment.ts';
import type { RunOptions } from '../process/git-runner.ts';
import type { RepositoryContext } from '../repository-context.ts';
import { writeCommitGraph } from './commit-graph.ts';
import { freePacks, isWithin, movePack, objectsInPack, packsToGather, removePack } from './pack-files.ts';

/** From how much on: so many loose objects, more than so many packs. */
export interface PackBounds {
  looseObjects: number;
  packs: number;
}
/** Loose objects that are in a pack now, and packs that are one now. */
export interface Packed {
  looseObjects: number;
  packs: number;
}

export interface Packing {
  /** Both 0 where there was too little, or where the repository is kept out. Rejects with what failed git. */
  run(context: RepositoryContext, bounds: PackBounds, signal?: AbortSignal): Promise<Packed>;
  /** Ends what runs in a repository and lets nothing begin until the returned function is called. */
  keepOut(gitDir: string): Promise<() => void>;
}

/** Of the sweep's kinds, see sweep.ts. */
const ASIDE = 'tmp_objdir-packing-';
const DEADLINE_MS = 1_800_000;
/** Taken into one pack; the others are taken into the next one. */
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
    const loose = await listLoose(context.gitDir);
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

/** Returns how many are loose no more: all, whether a ref reaches them or not. */
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
    // Its folder stays: our own writer takes it that one which was there does not go.
    await rm(join(objectsOf(context), oid.slice(0, 2), oid.slice(2)), { force: true });
    gone += 1;
  }
  return gone;
}

/** Returns how many are one now. */
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
    // git says so too, and this is cheap beside what it would cost to be wrong.
    if (!(await isWithin(objectsOf(context), name, made)))
      throw new Error(`${made} lacks objects of ${name}: both are kept`);
    await removePack(objectsOf(context), name);
  }
  return packs.length;
}

/** Runs pack-objects on a list, puts the pack in its place, and returns its name. */
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

/** One core, and no more memory than a server of many repositories can spare. */
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
 * The same ids as lines for pack-objects, those that a ref reaches in the order of history and with their paths: by
 * these git finds what is like another. Where history cannot be walked they are packed all the same.
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

async function listLoose(gitDir: string): Promise<string[]> {
  const loose: string[] = [];
  for (let fan = 0; fan < 256 && loose.length < MOST_LOOSE; fan += 1) {
    const folder = fan.toString(16).padStart(2, '0');
    for (const name of await namesIn(join(gitDir, 'objects', folder)))
      if (/^[0-9a-f]{38}$/.test(name)) loose.push(`${folder}${name}`);
  }
  return loose;
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}
