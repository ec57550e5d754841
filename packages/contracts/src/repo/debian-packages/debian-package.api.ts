import { allOrNone, defineEndpoint, group, project } from '../../endpoint.ts';
import { described, int, required, text } from '../../params.ts';
import { groupId, projectId } from '../../shared/common.params.ts';
import { messageView } from '../../views.ts';
import { READS_PACKAGES, readsPackages } from '../packages/package.api.ts';

const common = { service: 'repo', spec: 'api-v4 L357', jobToken: true, basic: true } as const;
const fetched = {
  ...common,
  method: 'GET',
  deployToken: READS_PACKAGES,
  mediaTypes: ['text/plain', 'application/gzip', 'application/octet-stream'],
} as const;
const word = (description: string, example: string) =>
  described(required(text({ max: 255 })), description, { examples: [example] });

const distribution = word('Codename or suite of the distribution', 'bookworm');
const listed = {
  distribution,
  dist_path: described(
    required(text({ max: 1024 })),
    '`InRelease`, `Release`, `Release.gpg`, and what they name: `main/binary-amd64/Packages`, by its hash too',
    { examples: ['InRelease'] },
  ),
};
const pooled = {
  letter: word('First letter of the package, or the first four of one that begins with `lib`', 'e'),
  package_name: word('Name of the source package', 'engine-tools'),
  package_version: word('Version of the source package', '1.2.0'),
  file_name: word('Name of the file', 'engine-tools_1.2.0_amd64.deb'),
};
const inPool = ':letter/:package_name/:package_version/:file_name';
const key = { codename: distribution };

export const uploadDebianFile = defineEndpoint({
  ...common,
  access: project('developer', { feature: 'packages' }),
  deployToken: ['write_package_registry'],
  id: 'debian-file-upload',
  method: 'PUT',
  path: '/projects/:id/packages/debian/:file_name',
  summary:
    'Store a file of a Debian package: the body as it is, or the field `file` of a form. A `.changes` puts what it names where it belongs',
  params: {
    id: projectId,
    file_name: described(required(text({ max: 255 })), 'Name of the file, by whose ending it is known', {
      examples: ['engine-tools_1.2.0_amd64.deb'],
    }),
    distribution: described(
      text({ max: 255 }),
      'Codename or suite of the distribution of a binary package, which then needs no `.changes`',
      { examples: ['bookworm'] },
    ),
    component: described(text({ max: 255 }), 'Component of the distribution', { examples: ['main'] }),
  },
  rules: [allOrNone('distribution', 'component')],
  bodyTypes: ['application/octet-stream', 'multipart/form-data'],
  status: 201,
  response: messageView,
});

export const projectDebian = {
  dist: defineEndpoint({
    ...fetched,
    access: readsPackages,
    id: 'project-debian-dist-get',
    path: '/projects/:id/packages/debian/dists/:distribution/*dist_path',
    summary: 'An index of a Debian distribution of a project',
    params: { id: projectId, ...listed },
    otherStatuses: [304],
  }),
  pool: defineEndpoint({
    ...fetched,
    access: readsPackages,
    id: 'project-debian-pool-get',
    path: `/projects/:id/packages/debian/pool/:distribution/${inPool}`,
    summary: 'A file of a Debian package of a project',
    params: { id: projectId, distribution, ...pooled },
    otherStatuses: [206, 304, 416],
  }),
  key: defineEndpoint({
    ...fetched,
    access: readsPackages,
    id: 'project-debian-key-get',
    path: '/projects/:id/debian_distributions/:codename/key.asc',
    summary: 'The public key that signs the indexes of a Debian distribution of a project',
    params: { id: projectId, ...key },
  }),
};

export const groupDebian = {
  dist: defineEndpoint({
    ...fetched,
    access: group('anyone'),
    id: 'group-debian-dist-get',
    path: '/groups/:id/-/packages/debian/dists/:distribution/*dist_path',
    summary:
      'An index of a Debian distribution of a group: packages of projects below it that the caller may read',
    params: { id: groupId, ...listed },
    otherStatuses: [304],
  }),
  pool: defineEndpoint({
    ...fetched,
    access: group('anyone'),
    id: 'group-debian-pool-get',
    path: `/groups/:id/-/packages/debian/pool/:distribution/:project_id/${inPool}`,
    summary: 'A file of a Debian package of a project below a group',
    params: {
      id: groupId,
      distribution,
      project_id: described(required(int()), 'Id of the project'),
      ...pooled,
    },
    otherStatuses: [206, 304, 416],
  }),
  key: defineEndpoint({
    ...fetched,
    access: group('anyone'),
    id: 'group-debian-key-get',
    path: '/groups/:id/debian_distributions/:codename/key.asc',
    summary: 'The public key that signs the indexes of a Debian distribution of a group',
    params: { id: groupId, ...key },
  }),
};

export const debianPackageEndpoints = [
  uploadDebianFile,
  ...Object.values(projectDebian),
  ...Object.values(groupDebian),
];
