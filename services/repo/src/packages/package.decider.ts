import { createHash } from 'node:crypto';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { EventOf } from '@forgelog/contracts/event.ts';
import type { DebianFilePublished, PackageEvent } from '@forgelog/contracts/repo/packages/package.events.ts';
import {
  MOST_PACKAGE_FILES,
  type PackageStatus,
  type PackageType,
} from '@forgelog/contracts/repo/packages/package.values.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

/** What is unique in a project. */
export interface PackageIdentity {
  projectId: number;
  packageType: PackageType;
  name: string;
  version: string | null;
}

export interface NewPackageFile {
  packageFileId: number;
  filename: string;
  size: number;
  fileSha256: string;
  fileSha1: string;
  fileMd5: string;
}

/** Where a file of a Debian package belongs, and what indexes say of it. */
export type DebianPublication = Omit<
  EventOf<typeof DebianFilePublished>['data'],
  'packageFileId' | 'packageId' | 'projectId'
>;

type KeptFile = Pick<NewPackageFile, 'packageFileId' | 'filename' | 'size' | 'fileSha256'>;

export interface PackageState {
  /** null before it begins, and after its end: a later one of the same name has another id. */
  packageId: number | null;
  status: PackageStatus;
  /** An array, because a copy of one for each event is cheap even where there are thousands. */
  files: readonly KeptFile[];
}

export type PackageCommand =
  | ({
      type: 'StorePackageFiles';
      /** For the package if it has to begin; null where it was there when the file came. */
      newPackageId: number | null;
      /** Undefined keeps the current value. */
      status?: PackageStatus | undefined;
      files: readonly (NewPackageFile & { publication?: DebianPublication | undefined })[];
    } & PackageIdentity)
  | { type: 'DeletePackage'; packageId: number; projectId: number }
  | { type: 'DeletePackageFile'; packageId: number; projectId: number; packageFileId: number };

/** A package of a name and version is one stream, however often it ends and begins again. */
export function packageStream({ projectId, packageType, name, version }: PackageIdentity): string {
  const identity = JSON.stringify([packageType, name, version]);
  return `package-${projectId}/${createHash('sha256').update(identity).digest('hex')}`;
}

const ABSENT: PackageState = { packageId: null, status: 'default', files: [] };

export const packageDecider: Decider<PackageState, PackageCommand, PackageEvent> = {
  initialState: ABSENT,

  decide(command, state) {
    const { projectId } = command;
    if (command.type === 'StorePackageFiles') {
      const { packageType, name, version, status, files, newPackageId } = command;
      const packageId = state.packageId ?? newPackageId;
      // It ended while the file came.
      if (packageId === null) throw new Rejection('conflict', {});
      if (state.files.length + files.length > MOST_PACKAGE_FILES)
        throw new Rejection('bad_request', {
          reason: `The package has ${MOST_PACKAGE_FILES} files, which is the most`,
        });
      const ids = { packageId, projectId };
      const events: PackageEvent[] = [];
      const change = changesFrom<{ status: PackageStatus }>({ status: state.status }, { status });
      if (state.packageId === null)
        events.push({
          type: 'PackageCreated',
          data: { ...ids, packageType, name, version, status: status ?? 'default' },
        });
      else if (change !== null) events.push({ type: 'PackageUpdated', data: { ...ids, ...change } });
      for (const { publication, ...file } of files) {
        const { packageFileId } = file;
        events.push({ type: 'PackageFileCreated', data: { ...ids, ...file } });
        if (publication)
          events.push({ type: 'DebianFilePublished', data: { packageFileId, ...ids, ...publication } });
      }
      return events;
    }
    const { packageId } = command;
    if (state.packageId !== packageId) throw new Rejection('record_not_found');
    if (command.type === 'DeletePackage') {
      const files = state.files.map(({ packageFileId, fileSha256 }) => ({ packageFileId, fileSha256 }));
      return [{ type: 'PackageDeleted', data: { packageId, projectId, files } }];
    }
    const { packageFileId } = command;
    const file = state.files.find((one) => one.packageFileId === packageFileId);
    if (!file) throw new Rejection('record_not_found');
    return [{ type: 'PackageFileDeleted', data: { packageId, projectId, ...file } }];
  },

  evolve(state, event) {
    switch (event.type) {
      case 'PackageCreated':
        return { packageId: event.data.packageId, status: event.data.status, files: [] };
      case 'PackageUpdated':
        return { ...state, ...event.data.changes };
      case 'PackageFileCreated': {
        const { packageFileId, filename, size, fileSha256 } = event.data;
        return { ...state, files: state.files.concat({ packageFileId, filename, size, fileSha256 }) };
      }
      case 'DebianFilePublished':
        return state;
      case 'PackageFileDeleted': {
        const files = state.files.filter(({ packageFileId }) => packageFileId !== event.data.packageFileId);
        return { ...state, files };
      }
      case 'PackageDeleted':
        return ABSENT;
      default:
        return event satisfies never;
    }
  },
};
