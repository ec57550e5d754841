import { z } from 'zod';
import { defineEndpoint, project } from '../../endpoint.ts';
import { described, oneOf, required, text } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { messageView } from '../../views.ts';
import { READS_PACKAGES, readsPackages, uploadedFileView } from './package.api.ts';

const file = {
  id: projectId,
  package_name: described(
    required(text({ max: 255 })),
    'Name of the package: letters, digits, `.`, `_`, `-` and `+`',
    {
      examples: ['engine-tools'],
    },
  ),
  package_version: described(
    required(text({ max: 255 })),
    'Version of the package: letters, digits, `_`, `-` and `+`, with single dots between them',
    { examples: ['1.2.0'] },
  ),
  file_name: described(
    required(text({ max: 255 })),
    'Name of the file: letters, digits, `.`, `_`, `-`, `+` and `~`',
    {
      examples: ['engine-tools.tar.gz'],
    },
  ),
};
const common = {
  service: 'repo',
  spec: 'companions 2.11',
  jobToken: true,
  basic: true,
  path: '/projects/:id/packages/generic/:package_name/:package_version/:file_name',
} as const;

/** What comes beside the file; in a form, its fields say it too. */
export const genericUploadOptions = {
  status: described(oneOf('default', 'hidden'), 'Status of the package from now on'),
  select: described(oneOf('package_file'), 'Answers with the file instead of a message'),
};

export const uploadGenericFile = defineEndpoint({
  ...common,
  access: project('developer', { feature: 'packages' }),
  deployToken: ['write_package_registry'],
  id: 'generic-package-upload',
  method: 'PUT',
  summary:
    'Store a file of a package: the body as it is, or the field `file` of a form. The plan limits its size',
  params: { ...file, ...genericUploadOptions },
  bodyTypes: ['application/octet-stream', 'multipart/form-data'],
  status: 201,
  response: z.union([messageView, uploadedFileView]),
});

export const downloadGenericFile = defineEndpoint({
  ...common,
  access: readsPackages,
  deployToken: READS_PACKAGES,
  id: 'generic-package-download',
  method: 'GET',
  summary: 'The newest file of this name of a package',
  params: file,
  otherStatuses: [206, 304, 416],
  mediaTypes: ['application/octet-stream'],
});

export const genericPackageEndpoints = [uploadGenericFile, downloadGenericFile];
