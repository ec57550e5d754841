import {
  packageFileView,
  packageOfGroupView,
  packageSummaryView,
  packageView,
  uploadedFileView,
} from '@forgelog/contracts/repo/packages/package.api.ts';
import type { PackageStatus, PackageType } from '@forgelog/contracts/repo/packages/package.values.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { ifTrue } from '@forgelog/service-kit/view-optional.ts';
import { constant, derived, given, host, text } from '@forgelog/service-kit/view-parts.ts';
import { projectPath } from '@forgelog/service-kit/view-placeholders.ts';
import type { PackageFileRow, PackageRow } from './packages.projection.ts';

/** A row with whether the caller may delete it. */
export interface ShownPackage extends PackageRow {
  isDeletable: boolean;
}

export interface DetailedPackage extends ShownPackage {
  /** The others of its kind and name. */
  versions: readonly PackageRow[];
}

const nothing = constant<never[]>([]);

export const packageSummaryJson = implementView(packageSummaryView).from<ShownPackage>({
  id: 'id',
  name: 'name',
  version: 'version',
  package_type: derived(['packageType'], (type: string) => type as PackageType),
  status: derived(['status'], (status: string) => status as PackageStatus),
  _links: {
    web_path: text`/${projectPath('projectId')}/-/packages/${'id'}`,
    delete_api_path: ifTrue('isDeletable', text`${host}/api/v4/projects/${'projectId'}/packages/${'id'}`),
  },
  created_at: 'createdAt',
  tags: nothing,
  pipelines: nothing,
});

export const packageOfGroupJson = implementView(packageOfGroupView).from<ShownPackage>({
  ...packageSummaryJson.members,
  project_id: 'projectId',
  project_path: text`${projectPath('projectId')}`,
});

export const packageJson = implementView(packageView).from<DetailedPackage>({
  ...packageSummaryJson.members,
  versions: given(({ versions }: DetailedPackage) =>
    versions.map(({ id, version, createdAt }) => ({
      ...{ id, version, created_at: createdAt },
      tags: [],
      pipelines: [],
    })),
  ),
});

export const packageFileJson = implementView(packageFileView).from<PackageFileRow>({
  id: 'id',
  package_id: 'packageId',
  created_at: 'createdAt',
  file_name: 'filename',
  size: 'size',
  file_md5: 'fileMd5',
  file_sha1: 'fileSha1',
  file_sha256: 'fileSha256',
  pipelines: nothing,
});

interface UploadedFile extends PackageFileRow {
  packageName: string;
  packageVersion: string;
}

const genericFile = text`${host}/api/v4/projects/${'projectId'}/packages/generic/${'packageName'}/${'packageVersion'}/${'filename'}`;

export const uploadedFileJson = implementView(uploadedFileView).from<UploadedFile>({
  ...packageFileJson.members,
  file: { url: genericFile },
});
