import type { PackageEvent } from '@forgelog/contracts/repo/packages/package.events.ts';
import { MOST_PACKAGE_FILES } from '@forgelog/contracts/repo/packages/package.values.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { expect, test } from 'vitest';
import { packageDecider, packageStream } from './package.decider.ts';

const identity = { projectId: 7, packageType: 'generic', name: 'tools', version: '1.0' } as const;
const ids = { packageId: 1, projectId: 7 };
const file = (packageFileId: number) => ({
  ...{ packageFileId, filename: 'a.txt', size: 3 },
  ...{ fileSha256: 'c'.repeat(64), fileSha1: 'b'.repeat(40), fileMd5: 'a'.repeat(32) },
});
const { projectId: _, ...named } = identity;
const created: PackageEvent = { type: 'PackageCreated', data: { ...ids, ...named, status: 'default' } };
const stored = (id: number): PackageEvent => ({ type: 'PackageFileCreated', data: { ...ids, ...file(id) } });
const store = (id: number, newPackageId: number | null, status?: 'default' | 'hidden') =>
  ({ type: 'StorePackageFiles', ...identity, newPackageId, status, files: [file(id)] }) as const;
const deletePackage = { type: 'DeletePackage', ...ids } as const;
const deleteFile = { type: 'DeletePackageFile', ...ids, packageFileId: 1 } as const;
const { fileSha256 } = file(1);
const ended: PackageEvent = {
  type: 'PackageDeleted',
  data: { ...ids, files: [{ packageFileId: 1, fileSha256 }] },
};

test('a package begins with its first file, and takes others of the same name', () => {
  given(packageDecider).when(store(1, 1)).thenEvents(created, stored(1));
  given(packageDecider, created, stored(1)).when(store(2, null)).thenEvents(stored(2));
  // Of two first files at once, the second one joins the package of the first.
  given(packageDecider, created, stored(1)).when(store(2, 9)).thenEvents(stored(2));
  given(packageDecider)
    .when(store(1, 1, 'hidden'))
    .thenEvents({ ...created, data: { ...created.data, status: 'hidden' } } as PackageEvent, stored(1));
});

test('a status changes with a file that says so', () => {
  given(packageDecider, created, stored(1))
    .when(store(2, null, 'hidden'))
    .thenEvents(
      {
        type: 'PackageUpdated',
        data: { ...ids, changes: { status: 'hidden' }, previous: { status: 'default' } },
      },
      stored(2),
    );
  given(packageDecider, created, stored(1))
    .when(store(2, null, 'default'))
    .thenEvents(stored(2));
});

test('a package ends with its files, and a later one of its name is another', () => {
  given(packageDecider, created, stored(1)).when(deletePackage).thenEvents(ended);
  given(packageDecider, created, stored(1), ended).when(deletePackage).thenRejected('record_not_found');
  given(packageDecider, created, stored(1), ended)
    .when(store(2, 2))
    .thenEvents({ ...created, data: { ...created.data, packageId: 2 } } as PackageEvent, {
      type: 'PackageFileCreated',
      data: { ...ids, packageId: 2, ...file(2) },
    });
  // It ended while the file came: the file has no package to go to.
  given(packageDecider, created, stored(1), ended).when(store(2, null)).thenRejected('conflict');
});

test('a file ends once, and its package stays', () => {
  const { fileSha1: _sha1, fileMd5: _md5, ...told } = file(1);
  const fileEnded: PackageEvent = { type: 'PackageFileDeleted', data: { ...ids, ...told } };
  given(packageDecider, created, stored(1)).when(deleteFile).thenEvents(fileEnded);
  given(packageDecider, created, stored(1), fileEnded).when(deleteFile).thenRejected('record_not_found');
  given(packageDecider, created, stored(1), fileEnded).when(store(2, null)).thenEvents(stored(2));
});

test('a package has a most of files', () => {
  const files = Array.from({ length: MOST_PACKAGE_FILES }, (_, at) => stored(at + 1));
  given(packageDecider, created, ...files)
    .when(store(MOST_PACKAGE_FILES + 1, null))
    .thenRejected('bad_request');
});

test('kind, name and version alone say which stream it is', () => {
  const streams = [
    identity,
    { ...identity, version: '1.1' },
    { ...identity, version: null },
    { ...identity, name: 'tools","1.0' },
    { ...identity, packageType: 'debian' as const },
  ].map(packageStream);
  expect(new Set(streams).size).toBe(streams.length);
});
