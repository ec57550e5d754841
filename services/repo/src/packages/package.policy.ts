import type { EventOf } from '@forgelog/contracts/event.ts';
import { PackageDeleted, PackageFileDeleted } from '@forgelog/contracts/repo/packages/package.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { deleteBelow } from '@forgelog/object-store/delete-below.ts';
import type { RepoPorts } from '../ports.ts';
import { packageFileKey, packagesOf } from './package-key.ts';

/** Deletes the bytes of files that ended. Safe to repeat; what it misses is swept. */
export function packagePolicies({ objects, storages }: Pick<RepoPorts, 'objects' | 'storages'>): Policy[] {
  return [
    definePolicy({
      name: 'packages-of-deleted-projects',
      handles: [ProjectDeleted],
      actsAs: 'system',
      async react({ data: { projectId, storage } }, { signal }) {
        if (storage === storages.own) await deleteBelow(objects, packagesOf(projectId), signal);
      },
    }),
    definePolicy({
      name: 'deleted-package-files',
      handles: [PackageDeleted, PackageFileDeleted],
      actsAs: 'system',
      async react({ data }: { data: Ended }, { signal }) {
        const { projectId } = data;
        for (const { packageFileId, fileSha256 } of 'files' in data ? data.files : [data]) {
          signal.throwIfAborted();
          await objects.delete(packageFileKey({ projectId, packageFileId, fileSha256 }));
        }
      },
    }),
  ];
}

type Ended = EventOf<typeof PackageDeleted>['data'] | EventOf<typeof PackageFileDeleted>['data'];
