/**
 * Caches all refs of a repository in sorted order, so that listing branches does not stat each file. Our own writers
 * announce the refs they move, and only those are re-read. Other writers are detected by folder stamps: git replaces a
 * ref file by renaming, which changes its folder.
 */
import { join } from 'node:path';
import { createByteCache } from '../objects/byte-cache.ts';
import { compareBytes } from '../text.ts';
import {
  type Ref,
  type RefFiles,
  readLoose,
  readLooseBelow,
  readPacked,
  restedFor,
  stampOf,
} from './ref-files.ts';

export interface RefListings {
  /** Refs whose full name starts with `prefix`, by name bytes. Returns the same array until one of them moves. */
  list(files: RefFiles, prefix: string): Promise<readonly Ref[]>;
  isMoving(gitDir: string, ref: string): boolean;
  /** Until `ended`, each read of these refs looks at their files. */
  began(gitDir: string, refs: readonly string[]): void;
  ended(gitDir: string, refs: readonly string[]): void;
  forget(gitDir: string): void;
}

interface Listing {
  all: Ref[];
  views: Map<string, readonly Ref[]>;
  /** Refs that move now, or have moved since they were read. */
  stale: Set<string>;
  /** Stamps of folders and of packed-refs, by path in the repository. */
  stamps: Map<string, string | undefined>;
  /** Paths changed by our own writers; stamped again when none of them runs. */
  unstamped: Set<string>;
  lookedAt: number;
  /** Milliseconds until the stamps are checked again. */
  pause: number;
}

/** Milliseconds. The pause grows with the time that checking many folders takes. */
const SHORTEST_PAUSE = 10;
const PAUSE_PER_LOOK = 20;
/** Above this many moved refs, all refs are read again. */
const MOST_PATCHED = 500;
/** More than a clock tick of the file system: a second change within a tick leaves the stamp as it is. */
const YOUNG_MS = 50;
/** Approximate bytes in memory per ref, without its name. */
const REF_BYTES = 200;

export function createRefListings(maxBytes: number): RefListings {
  const kept = createByteCache<Listing>(maxBytes);
  const loading = new Map<string, { dirty: Set<string>; done: Promise<Listing> }>();
  /** The number of active writers by repository and ref. */
  const moving = new Map<string, Map<string, number>>();

  const current = async (files: RefFiles): Promise<Listing> => {
    for (;;) {
      const known = kept.get(files.gitDir);
      if (known && known.stale.size <= MOST_PATCHED && holds(known, files.gitDir)) return known;
      const running = loading.get(files.gitDir);
      if (!running) return load(files);
      const listing = await running.done;
      if (listing.stale.size <= MOST_PATCHED) return listing;
    }
  };

  /** Refs that move during the load are stale in the result. */
  const load = (files: RefFiles): Promise<Listing> => {
    const { gitDir } = files;
    const dirty = new Set(moving.get(gitDir)?.keys());
    const done = read(files)
      .then((listing) => {
        keepViews(kept.get(gitDir), listing);
        suspend(listing, dirty);
        if (!moving.has(gitDir)) stampAgain(listing, gitDir);
        kept.set(gitDir, listing, weightOf(listing));
        return listing;
      })
      .finally(() => loading.delete(gitDir));
    loading.set(gitDir, { dirty, done });
    return done;
  };

  return {
    async list(files, prefix) {
      const { gitDir } = files;
      const listing = await current(files);
      // After a load, refs are only stale if they are moving now.
      if (listing.stale.size > 0 && listing.stale.size <= MOST_PATCHED) {
        const packed = await readPacked(files);
        // Synchronous, so that no older value overwrites a newer one.
        for (const ref of listing.stale) {
          patch(listing, ref, readLoose(gitDir, ref) ?? packed.get(ref));
          if (!moving.get(gitDir)?.has(ref)) listing.stale.delete(ref);
        }
      }
      return viewOf(listing, prefix);
    },
    isMoving: (gitDir, ref) => moving.get(gitDir)?.has(ref) ?? false,
    began(gitDir, refs) {
      if (refs.length === 0) return;
      const counts = moving.get(gitDir) ?? new Map<string, number>();
      moving.set(gitDir, counts);
      for (const ref of refs) {
        counts.set(ref, (counts.get(ref) ?? 0) + 1);
        loading.get(gitDir)?.dirty.add(ref);
      }
      const listing = kept.get(gitDir);
      if (!listing) return;
      // From here on another process's change cannot be told from ours.
      if (holds(listing, gitDir)) suspend(listing, refs);
      else kept.delete(gitDir);
    },
    ended(gitDir, refs) {
      const counts = moving.get(gitDir);
      for (const ref of refs) {
        const others = (counts?.get(ref) ?? 1) - 1;
        if (others === 0) counts?.delete(ref);
        else counts?.set(ref, others);
        loading.get(gitDir)?.dirty.add(ref);
      }
      if (counts?.size === 0) moving.delete(gitDir);
      const listing = kept.get(gitDir);
      if (!listing) return;
      suspend(listing, refs);
      if (!moving.has(gitDir)) stampAgain(listing, gitDir);
    },
    forget: kept.delete,
  };
}

async function read(files: RefFiles): Promise<Listing> {
  const { gitDir } = files;
  const stamps: Listing['stamps'] = new Map();
  const loose = await readLooseBelow(gitDir, 'refs', (folder) => {
    const path = join(gitDir, folder);
    stamps.set(folder, restedFor(path) < YOUNG_MS ? 'young' : stampOf(path));
  });
  stamps.set(PACKED, stampOf(join(gitDir, PACKED)));
  // Read packed refs after loose ones: a ref that is being packed is then in at least one of them.
  const refs = new Map([...(await readPacked(files)), ...loose]);
  const all = [...refs].map(([ref, oid]) => ({ ref, oid })).sort((a, b) => compareBytes(a.ref, b.ref));
  return {
    all,
    views: new Map(),
    stale: new Set(),
    stamps,
    unstamped: new Set(),
    lookedAt: performance.now(),
    pause: SHORTEST_PAUSE,
  };
}

const PACKED = 'packed-refs';

function holds(listing: Listing, gitDir: string): boolean {
  const begin = performance.now();
  if (begin - listing.lookedAt < listing.pause) return true;
  for (const [path, stamp] of listing.stamps) if (stampOf(join(gitDir, path)) !== stamp) return false;
  listing.lookedAt = performance.now();
  listing.pause = Math.max(SHORTEST_PAUSE, PAUSE_PER_LOOK * (listing.lookedAt - begin));
  return true;
}

/** Ignores the stamps of these refs' folders, since we change them ourselves. */
function suspend(listing: Listing, refs: Iterable<string>): void {
  for (const ref of refs) {
    listing.stale.add(ref);
    listing.unstamped.add(PACKED);
    for (let at = ref.lastIndexOf('/'); at > 0; at = ref.lastIndexOf('/', at - 1))
      listing.unstamped.add(ref.slice(0, at));
  }
  for (const path of listing.unstamped) listing.stamps.delete(path);
}

function stampAgain(listing: Listing, gitDir: string): void {
  for (const path of listing.unstamped) listing.stamps.set(path, stampOf(join(gitDir, path)));
  listing.unstamped.clear();
}

function patch(listing: Listing, ref: string, oid: string | undefined): void {
  const at = indexOf(listing.all, ref);
  const old = listing.all[at]?.ref === ref ? listing.all[at].oid : undefined;
  if (oid === old) return;
  listing.all.splice(at, old === undefined ? 0 : 1, ...(oid === undefined ? [] : [{ ref, oid }]));
  for (const prefix of listing.views.keys()) if (ref.startsWith(prefix)) listing.views.delete(prefix);
}

/** Reuses the slices that a reload did not change. */
function keepViews(old: Listing | undefined, listing: Listing): void {
  for (const [prefix, view] of old?.views ?? []) {
    const now = viewOf(listing, prefix);
    const same = (one: Ref, at: number) => one.ref === now[at]!.ref && one.oid === now[at]!.oid;
    if (view.length === now.length && view.every(same)) listing.views.set(prefix, view);
  }
}

function viewOf(listing: Listing, prefix: string): readonly Ref[] {
  const known = listing.views.get(prefix);
  if (known) return known;
  const from = indexOf(listing.all, prefix);
  const beyond = listing.all.findIndex(({ ref }, at) => at >= from && !ref.startsWith(prefix));
  const view = listing.all.slice(from, beyond < 0 ? undefined : beyond);
  listing.views.set(prefix, view);
  return view;
}

/** The index of the first ref at or after this name. */
function indexOf(refs: readonly Ref[], name: string): number {
  let from = 0;
  let to = refs.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (compareBytes(refs[middle]!.ref, name) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

const weightOf = ({ all }: Listing): number =>
  all.reduce((sum, { ref }) => sum + REF_BYTES + ref.length, 500);
