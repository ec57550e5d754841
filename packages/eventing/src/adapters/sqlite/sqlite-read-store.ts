import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type ReadStore, type ReadStoreCandidate, ReadStoreUnavailableError } from '../../read-store.ts';
import { lockExclusively } from './exclusive-lock.ts';
import { PolicyCheckpoints } from './policy-checkpoints.ts';
import { ReadModelFile } from './read-model-file.ts';
import { isDamage } from './sqlite-errors.ts';

/**
 * The read models in one SQLite file, read and written on the calling thread. It is never synced while in use: a
 * killed process loses nothing by that, and after a loss of power, which may leave anything, the file is thrown away
 * and the projections fill it anew; so it is at the open after damage was found. Where policies stand is kept in a
 * file of its own that survives this.
 */
export async function openSqliteReadStore(options: { path: string }): Promise<ReadStore> {
  const { path } = options;
  const lock = lockExclusively(path);
  const damaged = `${path}.damaged`;
  if (lock.lastStop === 'unknown' || existsSync(damaged)) removeFiles(path);
  rmSync(damaged, { force: true });
  const policies = new PolicyCheckpoints(`${path}.policies`);
  const store = openOrRenew(path, policies, () => writeFileSync(damaged, ''));
  return Object.assign(store, {
    async beside(): Promise<ReadStoreCandidate> {
      return candidate(store, policies);
    },
    async close() {
      let isWhole = false;
      try {
        store.disconnect();
        isWhole = true;
      } catch (error) {
        // What did not get into the file projections do again, as after a kill.
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

function candidate(live: ReadModelFile, policies: PolicyCheckpoints): ReadStoreCandidate {
  const path = `${live.path}.rebuild`;
  removeFiles(path);
  const store = new ReadModelFile(path, policies);
  const close = async () => store.disconnect();
  return Object.assign(store, {
    close,
    beside: () => Promise.reject(new Error('a candidate has none beside it')),
    async discard() {
      store.abandon();
      removeFiles(path);
    },
    async swap() {
      store.disconnect();
      // The live file is closed before it is replaced: its write-ahead log must never meet the other file.
      live.disconnect();
      renameSync(path, live.path);
      live.connect();
    },
  });
}

function removeFiles(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
}
