import { fileURLToPath } from 'node:url';
import { createLru } from '@forgelog/eventing/lru.ts';
import type { FileListing } from '@forgelog/git/trees/file-sizes.ts';
import type { Worker } from '@forgelog/service-kit/slice.ts';
import { Piscina } from 'piscina';

export interface LanguageShares extends Pick<Worker, 'stop'> {
  /** Percent by language; kept by the tree, and computed once for all who wait for it. */
  of(listing: FileListing): Promise<Readonly<Record<string, number>>>;
}

const KEPT = 10_000;
const IDLE_MS = 60_000;
const DEADLINE_MS = 30_000;
const MEGABYTES = 256;

export function createLanguageShares(): LanguageShares {
  let pool: Piscina | undefined;
  // The thread starts with the first question: many processes never get one.
  const thread = () => {
    pool ??= new Piscina({
      filename: fileURLToPath(new URL('./language-thread.ts', import.meta.url)),
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: IDLE_MS,
      resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
      env: {},
      atomics: 'disabled',
    });
    return pool;
  };
  const known = createLru<string, Promise<Record<string, number>>>(KEPT);

  async function compute(listing: FileListing): Promise<Record<string, number>> {
    const files = await listing.read();
    return thread().run(files, { signal: AbortSignal.timeout(DEADLINE_MS) });
  }

  return {
    of(listing) {
      const { treeOid } = listing;
      let shares = known.get(treeOid);
      if (!shares) {
        shares = compute(listing);
        known.set(treeOid, shares);
        shares.catch(() => known.delete(treeOid));
      }
      return shares;
    },
    async stop() {
      await pool?.destroy();
      pool = undefined;
    },
  };
}
