import { link, mkdir, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { syncFolder } from '@forgelog/git/objects/loose-object-writer.ts';
import { initRepository } from '@forgelog/git/repository-files.ts';
import type { Report } from '../verification/report.ts';
import { BackupError } from './backup-error.ts';
import type { BackupIndex, SavedFile } from './backup-index.ts';
import { type ContentStore, writeSynced } from './content-store.ts';

export interface FileRestorer {
  /** Makes a repository with the objects that the backup has of it, and without refs. */
  repository(path: string, branch: string): Promise<void>;
  /** Restores a file, if the backup has it. */
  file(path: string): Promise<void>;
  /** Restores the files below a folder. Returns how many. */
  below(folder: string, there: Date | undefined): Promise<number>;
}

/** Restores files into a data folder, each verified. One that is damaged is reported and left out. */
export function createFileRestorer(ports: {
  dataDir: string;
  index: BackupIndex;
  store: ContentStore;
  report: Report;
}): FileRestorer {
  const { dataDir, index, store, report } = ports;
  /** Where packs of forks are, which have one file with several names. */
  const shared = new Map<string, string>();

  async function restore({ path, sha256 }: SavedFile, target: string): Promise<void> {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const twin = shared.get(sha256);
    if (twin !== undefined) {
      const isLinked = await link(twin, target).then(
        () => true,
        () => false,
      );
      if (isLinked) return;
    }
    try {
      await writeSynced(target, store.read(sha256));
    } catch (error) {
      if (!(error instanceof BackupError)) throw error;
      await rm(target, { force: true });
      return report.problem(`${path} is not restored: ${error.message}.`);
    }
    if (path.startsWith('repositories/') && index.isShared(sha256)) shared.set(sha256, join(dataDir, path));
  }

  return {
    repository: (path, branch) =>
      initRepository(join(dataDir, path), branch, async (folder) => {
        const folders = new Set<string>();
        for (const file of index.below(path)) {
          const target = join(folder, relative(path, file.path));
          folders.add(dirname(target));
          await restore(file, target);
        }
        for (const made of folders) await syncFolder(made);
      }),
    async file(path) {
      const saved = index.file(path);
      if (saved) await restore(saved, join(dataDir, path));
    },
    async below(folder, there) {
      const folders = new Set<string>();
      let files = 0;
      for (const file of index.below(folder, there)) {
        const target = join(dataDir, file.path);
        await restore(file, target);
        for (let made = dirname(target); made !== dataDir && !folders.has(made); made = dirname(made))
          folders.add(made);
        files += 1;
        report.progress(`${files} files`);
      }
      for (const made of folders) await syncFolder(made);
      return files;
    },
  };
}
