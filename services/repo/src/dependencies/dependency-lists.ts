import { fileURLToPath } from 'node:url';
import type { RepositoryReads } from '@forgelog/git/repository-reads.ts';
import { type ArrayOrder, inOrder } from '@forgelog/service-kit/pagination.ts';
import type { Worker } from '@forgelog/service-kit/slice.ts';
import { LRUCache } from 'lru-cache';
import { Piscina } from 'piscina';
import type { LockedPackage, PackageManager } from './dependency.ts';
import type { DependencyTask, FoundLockfile } from './dependency-thread.ts';

type Reads = Pick<RepositoryReads, 'fileListing' | 'entry' | 'objects'>;

export interface Dependency extends LockedPackage {
  manager: PackageManager;
  path: string;
}

export interface DependencyLists extends Pick<Worker, 'stop'> {
  /** What the lockfiles of a commit name, in `BY_NAME`; kept by the tree, and read once for all who wait for it. */
  of(reads: Reads, commit: string): Promise<readonly Dependency[]>;
}

export const BY_NAME: ArrayOrder<Dependency> = [
  { of: ({ name }) => name, direction: 'asc' },
  { of: ({ path }) => path, direction: 'asc' },
  { of: ({ version }) => version ?? '', direction: 'asc' },
];

/** A larger lockfile is left out, and so are files and packages after these. */
const BOUNDS = { fileBytes: 16 * 1024 * 1024, allBytes: 64 * 1024 * 1024, files: 200, packages: 50_000 };
/** Packages of all lists that are kept. */
const KEPT = 500_000;
const IDLE_MS = 60_000;
/** For all files of a tree together, so that one of them costs others who wait no more than that. */
const TREE_MS = 20_000;
const MEGABYTES = 512;

export function createDependencyLists(): DependencyLists {
  let pool: Piscina | undefined;
  const thread = () => {
    pool ??= new Piscina({
      filename: fileURLToPath(new URL('./dependency-thread.ts', import.meta.url)),
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: IDLE_MS,
      resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
      env: {},
      atomics: 'disabled',
    });
    return pool;
  };
  let last: Promise<unknown> = Promise.resolve();
  // Time counts from a task's own turn: waiting for others must not make a file unreadable.
  function run<T>(task: DependencyTask, budget: { ms: number }): Promise<T> {
    const turn = last.then(async () => {
      const began = performance.now();
      try {
        return await thread().run(task, { signal: AbortSignal.timeout(Math.max(1, Math.ceil(budget.ms))) });
      } finally {
        budget.ms -= performance.now() - began;
      }
    });
    last = turn.catch(() => {});
    return turn;
  }
  const sized = { maxSize: KEPT, sizeCalculation: (list: readonly unknown[]) => list.length + 1 };
  const known = new LRUCache<string, readonly Dependency[]>(sized);
  const files = new LRUCache<string, readonly LockedPackage[]>(sized);
  const underway = new Map<string, Promise<readonly Dependency[]>>();

  async function packagesOf(
    reads: Reads,
    commit: string,
    { path, manager }: FoundLockfile,
    budget: { ms: number },
  ): Promise<readonly LockedPackage[]> {
    const entry = await reads.entry(commit, path);
    if (entry?.type !== 'blob') return [];
    const key = `${manager} ${entry.oid}`;
    const kept = files.get(key);
    if (kept) return kept;
    if (budget.ms <= 0) return [];
    const content = await reads.objects.need(entry.oid, 'blob');
    // One that ends the thread, by its memory or its time, is not in its form either.
    const packages = await run<LockedPackage[]>({ manager, content }, budget).catch(() => []);
    files.set(key, packages);
    return packages;
  }

  async function read(reads: Reads, commit: string, listing: Uint8Array): Promise<readonly Dependency[]> {
    const budget = { ms: TREE_MS };
    const lockfiles = await run<FoundLockfile[]>({ listing, most: BOUNDS.files }, budget);
    const found: Dependency[] = [];
    let bytes = 0;
    for (const file of lockfiles) {
      if (file.size > BOUNDS.fileBytes || bytes + file.size > BOUNDS.allBytes) continue;
      bytes += file.size;
      for (const one of await packagesOf(reads, commit, file, budget))
        found.push({ ...one, manager: file.manager, path: file.path });
      if (found.length > BOUNDS.packages) break;
    }
    return inOrder(found.slice(0, BOUNDS.packages), BY_NAME);
  }

  return {
    async of(reads, commit) {
      const listing = await reads.fileListing(commit);
      const { treeOid } = listing;
      const kept = known.get(treeOid);
      if (kept) return kept;
      let list = underway.get(treeOid);
      if (!list) {
        list = listing.read().then((files) => read(reads, commit, files));
        underway.set(treeOid, list);
        list
          .then((done) => known.set(treeOid, done))
          .catch(() => {})
          .finally(() => underway.delete(treeOid));
      }
      return list;
    },
    async stop() {
      await pool?.destroy();
      pool = undefined;
    },
  };
}
