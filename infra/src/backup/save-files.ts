import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupIndex, SavedFile } from './backup-index.ts';
import type { ContentStore } from './content-store.ts';
import { eachObjectFile, ifMissing } from './data-folder-files.ts';
import type { Progress } from './progress.ts';

const AT_ONCE = 8;
const READ_BYTES = 1024 * 1024;

export interface FileSaver {
  /** Saves files below the data folder that are new or changed; one that has vanished is left out. */
  files(paths: readonly string[]): Promise<void>;
  /** Saves the objects of a repository. Returns false if it is gone. */
  repository(path: string): Promise<boolean>;
  copyOf(path: string, copy: string): Promise<void>;
  /** The bytes of the files that are not saved yet. */
  due(paths: readonly string[]): Promise<number>;
}

export function createFileSaver(ports: {
  dataDir: string;
  index: BackupIndex;
  store: ContentStore;
  progress: Progress;
}): FileSaver {
  const { dataDir, index, store, progress } = ports;
  let seen = 0;

  async function save(path: string, from = join(dataDir, path)): Promise<void> {
    const file = await open(from).catch(ifMissing);
    if (!file) return;
    try {
      const facts = await factsOf(file);
      const known = index.file(path);
      const sha256 = known && isSame(known, facts) ? known.sha256 : index.twin(facts);
      if (sha256 !== undefined) return index.save({ path, ...facts, sha256 });
      // What is appended meanwhile shows in the next run, by its size.
      const read = createReadStream('', { fd: file, autoClose: false, highWaterMark: READ_BYTES });
      index.save({ path, ...facts, ...(await store.put(read)) });
    } finally {
      await file.close();
      seen += 1;
      progress.step(`${seen} files, ${path}`);
    }
  }

  async function files(paths: readonly string[]): Promise<void> {
    for (let from = 0; from < paths.length; from += AT_ONCE)
      await Promise.all(paths.slice(from, from + AT_ONCE).map((path) => save(path)));
  }

  return {
    files,
    copyOf: save,
    repository: (path) => eachObjectFile(dataDir, path, files),
    async due(paths) {
      let bytes = 0;
      for (const path of paths) {
        const found = await stat(join(dataDir, path)).catch(ifMissing);
        const known = found && index.file(path);
        if (found && !(known && known.size === found.size && known.modified === Math.trunc(found.mtimeMs)))
          bytes += found.size;
      }
      return bytes;
    },
  };
}

async function factsOf(file: FileHandle) {
  const { size, mtimeMs, ino: inode } = await file.stat();
  return { size, modified: Math.trunc(mtimeMs), inode };
}

const isSame = (one: SavedFile, other: Pick<SavedFile, 'size' | 'modified'>) =>
  one.size === other.size && one.modified === other.modified;
