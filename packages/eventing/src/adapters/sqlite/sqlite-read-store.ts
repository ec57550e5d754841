import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { type ReadStore, type ReadStoreCandidate, ReadStoreUnavailableError } from '../../read-store.ts';
import { lockExclusively } from './exclusive-lock.ts';
import { PolicyCheckpoints } from './policy-checkpoints.ts';
import { ReadModelFile } from './read-model-file.ts';
import { isDamage } from './sqlite-errors.ts';

/**
 * Reads and writes on the calling thread, without syncs. A killed process loses nothing. After a power loss or damage,
 * the next open deletes the file and projections fill it again; policy checkpoints are in a file of their own.
 */
export async function openSqliteReadStore(options: { path: string }): Promise<ReadStore> {
  const { path } = options;
  const lock = lockExclusively(path);
  const damaged = `${path}.damaged`;
  if (lock.lastStop === 'unknown' || existsSync(damaged)) removeFiles(path);
  rmSync(damaged, { force: true });
  removeFiles(copyOf(path));
  const policies = new PolicyCheckpoints(`${path}.policies`);
  const store = openOrRenew(path, policies, () => writeFileSync(damaged, ''));
  return Object.assign(store, {
    async beside(): Promise<ReadStoreCandidate> {
      const rebuilt = `${path}.rebuild`;
      removeFiles(rebuilt);
      return candidate(rebuilt, store, policies);
    },
    copies: {
      give: async () => store.give(),
      async take(bytes: AsyncIterable<Uint8Array>): Promise<ReadStoreCandidate> {
        const copy = copyOf(path);
        removeFiles(copy);
        try {
          // Synced beside other work: a swap would keep everything else waiting.
          const file = await open(copy, 'wx');
          await pipeline(bytes, file.createWriteStream({ flush: true }));
          return candidate(copy, store, policies);
        } catch (error) {
          removeFiles(copy);
          throw error;
        }
      },
    },
    async close() {
      let isWhole = false;
      try {
        store.disconnect();
        isWhole = true;
      } catch (error) {
        // Projections redo what is not in the file, as after a kill.
        if (!(error instanceof ReadStoreUnavailableError)) throw error;
      } finally {
        store.abandon();
        policies.close();
        lock.release(isWhole);
      }
    },
  });
}

function openOrRenew(path: string, policies: PolicyCheckpoints, onDamage: () => void): ReadModelFile {
  try {
    return new ReadModelFile(path, policies, onDamage);
  } catch (error) {
    if (!isDamage(error)) throw error;
    removeFiles(path);
    return new ReadModelFile(path, policies, onDamage);
  }
}

const copyOf = (path: string) => `${path}.copy`;

function candidate(path: string, live: ReadModelFile, policies: PolicyCheckpoints): ReadStoreCandidate {
  const store = new ReadModelFile(path, policies);
  const close = async () => store.disconnect();
  return Object.assign(store, {
    close,
    beside: () => Promise.reject(new Error('a rebuild cannot start from a candidate')),
    async discard() {
      store.abandon();
      removeFiles(path);
    },
    async swap() {
      store.disconnect();
      // Close the live file before replacing it: its write-ahead log must never meet the other file.
      live.disconnect();
      renameSync(path, live.path);
      live.connect();
    },
  });
}

function removeFiles(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
}
