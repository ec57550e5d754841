import type { PackageEvent } from '@forgelog/contracts/repo/packages/package.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectDeleted } from '@forgelog/testing/sample-events.ts';
import { test } from 'vitest';
import { packageLimits, packageLimitsProjection } from './package-limits.projection.ts';
import { packageFiles, packages, packagesProjection } from './packages.projection.ts';

const ids = { packageId: 1, projectId: 7 };
const created: PackageEvent = {
  type: 'PackageCreated',
  data: { ...ids, packageType: 'generic', name: 'tools', version: '1.0', status: 'default' },
};
const told = (packageFileId: number) => ({
  ...{ ...ids, packageFileId, filename: 'a.txt', size: 3, fileSha256: 'c'.repeat(64) },
});
const stored = (id: number): PackageEvent => ({
  type: 'PackageFileCreated',
  data: { ...told(id), fileSha1: 'b'.repeat(40), fileMd5: 'a'.repeat(32) },
});
const hidden: PackageEvent = {
  type: 'PackageUpdated',
  data: { ...ids, changes: { status: 'hidden' }, previous: { status: 'default' } },
};
const ended: PackageEvent = { type: 'PackageDeleted', data: { ...ids, files: [] } };

test('a package and its files are stored as they are now', async () => {
  const events = [created, stored(1), stored(2), hidden];
  const fileEnded: PackageEvent = { type: 'PackageFileDeleted', data: told(1) };
  const given = givenEvents(packagesProjection, ...events, fileEnded);
  await given.thenDocuments(packages, [{ id: 1, projectId: 7, name: 'tools', status: 'hidden' }]);
  await givenEvents(packagesProjection, ...events, fileEnded).thenDocuments(packageFiles, [
    { id: 2, packageId: 1, filename: 'a.txt', size: 3 },
  ]);
});

test('files end with their package, and both with their project', async () => {
  for (const end of [ended, projectDeleted(7).event])
    for (const collection of [packages, packageFiles])
      await givenEvents(packagesProjection, created, stored(1), end).thenDocuments(collection as never, []);
});

test('limits are the defaults but for what was set', async () => {
  await givenEvents(
    packageLimitsProjection,
    {
      type: 'PlanLimitsUpdated',
      data: { plan: 'default', changes: { npm_max_file_size: 5 }, previous: null },
    },
    {
      type: 'PlanLimitsUpdated',
      data: { plan: 'default', changes: { generic_packages_max_file_size: 6 }, previous: null },
    },
  ).thenDocuments(packageLimits, [
    {
      plan: 'default',
      limits: {
        ...{ conan_max_file_size: 3 * 2 ** 30, generic_packages_max_file_size: 6, npm_max_file_size: 5 },
        ...{ helm_max_file_size: 5 * 2 ** 20, maven_max_file_size: 3 * 2 ** 30 },
        ...{ nuget_max_file_size: 500 * 2 ** 20, pypi_max_file_size: 3 * 2 ** 30 },
        terraform_module_max_file_size: 2 ** 30,
      },
    },
  ]);
});
