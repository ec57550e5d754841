import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { createObjectSweeper, removeUnnamed } from '@forgelog/service-kit/object-sweeper.ts';
import type { Worker } from '@forgelog/service-kit/slice.ts';
import { ALL_PACKAGES, namedPackageFile } from './package-key.ts';
import { packageFiles } from './packages.projection.ts';

type SweepPorts = Pick<ServicePorts, 'objects' | 'readStore' | 'directory' | 'clock'>;

/** Removes files that no record names, which a kill left behind, and those that came to a deleted project. */
export const removeUnnamedPackageFiles = (ports: SweepPorts, signal?: AbortSignal): Promise<void> =>
  removeUnnamed(
    ports,
    ALL_PACKAGES,
    async (key) => {
      const named = namedPackageFile(key);
      // Another part of the program may own a key of another form.
      if (!named) return true;
      const file = await ports.readStore.get(packageFiles, named.packageFileId);
      const { projectId, fileSha256 } = named;
      return (
        file?.fileSha256 === fileSha256 &&
        file.projectId === projectId &&
        (await ports.directory.project(projectId)) !== undefined
      );
    },
    signal,
  );

export const unnamedPackageFileSweeper = (ports: SweepPorts & Pick<ServicePorts, 'log'>): Worker =>
  createObjectSweeper(ports, 'files of packages that no record names', (signal) =>
    removeUnnamedPackageFiles(ports, signal),
  );
