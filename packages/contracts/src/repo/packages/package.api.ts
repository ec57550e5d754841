import { z } from 'zod';
import { defineEndpoint, group, project } from '../../endpoint.ts';
import { bool, described, fallback, int, oneOf, required, text } from '../../params.ts';
import { ascending, groupId, projectId } from '../../shared/common.params.ts';
import { datetimeView, defineView } from '../../views.ts';
import examples from './package.examples.json' with { type: 'json' };
import { PACKAGE_STATUSES, PACKAGE_TYPES } from './package.values.ts';

/** Nothing tells yet of which pipeline a package is. */
const pipelines = z.array(z.never());
const tags = z.array(z.never());

const summary = {
  id: z.int(),
  name: z.string(),
  version: z.string().nullable(),
  package_type: z.enum(PACKAGE_TYPES),
  status: z.enum(PACKAGE_STATUSES),
  /** The second link is for those who may follow it. */
  _links: defineView('PackageLinks', { web_path: z.string(), delete_api_path: z.string().optional() }),
  created_at: datetimeView,
  tags,
  pipelines,
};

/** Package in the list of a project [companions 2.11]. */
export const packageSummaryView = defineView('PackageSummary', summary, examples.PackageSummary);

export const packageOfGroupView = defineView(
  'PackageOfGroup',
  { ...summary, project_id: z.int(), project_path: z.string() },
  examples.PackageOfGroup,
);

export const packageView = defineView(
  'Package',
  {
    ...summary,
    /** Other packages of the same kind and name, the oldest first; 100 at most. */
    versions: z.array(
      defineView('PackageVersion', {
        id: z.int(),
        version: z.string().nullable(),
        created_at: datetimeView,
        tags,
        pipelines,
      }),
    ),
  },
  examples.Package,
);

const packageFile = {
  id: z.int(),
  package_id: z.int(),
  created_at: datetimeView,
  file_name: z.string(),
  size: z.int(),
  file_md5: z.string(),
  file_sha1: z.string(),
  file_sha256: z.string(),
  pipelines,
};

export const packageFileView = defineView('PackageFile', packageFile, examples.PackageFile);

/** Uploaders read the address from here. */
export const uploadedFileView = defineView(
  'UploadedPackageFile',
  { ...packageFile, file: defineView('PackageFileAddress', { url: z.string() }) },
  examples.UploadedPackageFile,
);

export const readsPackages = project('anyone', { feature: 'packages' });
export const deletesPackages = project('maintainer', { feature: 'packages' });
/** Scopes of deploy tokens that read packages; the second one also writes them. */
export const READS_PACKAGES = ['read_package_registry', 'write_package_registry'] as const;
const common = { service: 'repo', spec: 'companions 2.11' } as const;

const filters = {
  sort: ascending,
  package_type: described(oneOf(...PACKAGE_TYPES), 'Only packages of this kind'),
  package_name: described(text({ max: 255 }), 'Only packages whose name has this in it, in any case'),
  package_version: described(text({ max: 255 }), 'Only packages of this version'),
  include_versionless: described(fallback(bool(), false), 'Also packages without a version'),
  status: described(
    oneOf(...PACKAGE_STATUSES),
    'Only packages of this status; those that are `default` or `error` unless it is given',
  ),
};
const ORDERS = ['created_at', 'name', 'version', 'type'] as const;

const packageId = described(required(int()), 'Id of the package');
const onePackage = { id: projectId, package_id: packageId };
const oneFile = { ...onePackage, package_file_id: described(required(int()), 'Id of the file') };

export const listProjectPackages = defineEndpoint({
  ...common,
  access: readsPackages,
  jobToken: true,
  deployToken: READS_PACKAGES,
  id: 'project-package-list',
  method: 'GET',
  path: '/projects/:id/packages',
  summary: 'Packages of a project',
  params: {
    id: projectId,
    order_by: described(fallback(oneOf(...ORDERS), 'created_at'), 'What they are sorted by'),
    ...filters,
  },
  pagination: 'offset',
  response: z.array(packageSummaryView),
});

export const listGroupPackages = defineEndpoint({
  ...common,
  access: group('anyone'),
  jobToken: true,
  deployToken: READS_PACKAGES,
  id: 'group-package-list',
  method: 'GET',
  path: '/groups/:id/packages',
  summary: 'Packages of the projects of a group, as far as the caller may read them',
  params: {
    id: groupId,
    order_by: described(
      fallback(oneOf(...ORDERS, 'project_path'), 'created_at'),
      'What they are sorted by; by the path of their project, the first 10,000 of them',
    ),
    exclude_subgroups: described(fallback(bool(), false), 'Only projects in the group itself'),
    ...filters,
  },
  pagination: 'offset',
  response: z.array(packageOfGroupView),
});

export const getPackage = defineEndpoint({
  ...common,
  access: readsPackages,
  jobToken: true,
  deployToken: READS_PACKAGES,
  id: 'package-get',
  method: 'GET',
  path: '/projects/:id/packages/:package_id',
  summary: 'One package with its other versions',
  params: onePackage,
  response: packageView,
});

export const deletePackage = defineEndpoint({
  ...common,
  access: deletesPackages,
  jobToken: true,
  id: 'package-delete',
  method: 'DELETE',
  path: '/projects/:id/packages/:package_id',
  summary: 'Delete a package with its files',
  params: onePackage,
  status: 204,
});

export const listPackageFiles = defineEndpoint({
  ...common,
  access: readsPackages,
  jobToken: true,
  deployToken: READS_PACKAGES,
  id: 'package-file-list',
  method: 'GET',
  path: '/projects/:id/packages/:package_id/package_files',
  summary: 'Files of a package, the oldest first',
  params: onePackage,
  pagination: 'offset',
  response: z.array(packageFileView),
});

export const deletePackageFile = defineEndpoint({
  ...common,
  access: deletesPackages,
  jobToken: true,
  id: 'package-file-delete',
  method: 'DELETE',
  path: '/projects/:id/packages/:package_id/package_files/:package_file_id',
  summary: 'Delete a file of a package',
  params: oneFile,
  status: 204,
});

export const packageEndpoints = [
  listProjectPackages,
  listGroupPackages,
  getPackage,
  deletePackage,
  listPackageFiles,
  deletePackageFile,
];
