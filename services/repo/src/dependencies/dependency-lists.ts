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
const DEADLINE_MS = 30_000;
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
  const run = (task: DependencyTask) => thread().run(task, { signal: AbortSignal.timeout(DEADLINE_MS) });
  const known = new LRUCache<string, readonly Dependency[]>({
    maxSize: KEPT,
    sizeCalculation: (list) => list.length + 1,
  });
  const underway = new Map<string, Promise<readonly Dependency[]>>();

  async function packagesOf(reads: Reads, commit: string, { path, manager }: FoundLockfile) {
    const entry = await reads.entry(commit, path);
    if (entry?.type !== 'blob') return [];
    const content = await reads.objects.need(entry.oid, 'blob');
    // One that ends the thread, by its memory or its time, is not in its form either.
    return (await run({ manager, content }).catch(() => [])) as LockedPackage[];
  }

  async function read(reads: Reads, commit: string, listing: Uint8Array): Promise<readonly Dependency[]> {
    const files = (await run({ listing, most: BOUNDS.files })) as FoundLockfile[];
    const found: Dependency[] = [];
    let bytes = 0;
    for (const file of files) {
      if (file.size > BOUNDS.fileBytes || bytes + file.size > BOUNDS.allBytes) continue;
      bytes += file.size;
      for (const one of await packagesOf(reads, commit, file))
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
