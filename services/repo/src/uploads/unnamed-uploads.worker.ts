import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { createObjectSweeper, removeUnnamed } from '@forgelog/service-kit/object-sweeper.ts';
import type { Worker } from '@forgelog/service-kit/slice.ts';
import { ALL_UPLOADS, namedUpload } from './upload-key.ts';
import { uploads } from './uploads.projection.ts';

type SweepPorts = Pick<ServicePorts, 'objects' | 'readStore' | 'directory' | 'clock'>;

/** Removes uploads that no record names, which a kill left behind, and those that came to a deleted project. */
export const removeUnnamedUploads = (ports: SweepPorts, signal?: AbortSignal): Promise<void> =>
  removeUnnamed(
    ports,
    ALL_UPLOADS,
    async (key) => {
      const named = namedUpload(key);
      // Another part of the program may own a key of another form.
      if (!named) return true;
      const upload = await ports.readStore.get(uploads, named.id);
      return (
        upload?.sha256 === named.sha256 && (await ports.directory.project(upload.projectId)) !== undefined
      );
    },
    signal,
  );

export const unnamedUploadSweeper = (ports: SweepPorts & Pick<ServicePorts, 'log'>): Worker =>
  createObjectSweeper(ports, 'uploads that no record names', (signal) => removeUnnamedUploads(ports, signal));
