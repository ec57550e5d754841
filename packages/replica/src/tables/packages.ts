import { defineRecords, type Part, reference, text, whole } from '../table.ts';

export const packages: Part = {
  events: {
    ...{ PackageCreated: 1, PackageUpdated: 1, PackageDeleted: 1 },
    ...{ PackageFileCreated: 1, PackageFileDeleted: 1, DebianFilePublished: 1 },
  },
  records: [
    defineRecords({
      kind: 'Package',
      name: 'packages',
      about: 'Packages of projects, a row for each version.',
      key: ['package_id'],
      columns: {
        package_id: whole('packageId', 'Id of the package.'),
        project_id: reference('projectId', 'Id of the project.'),
        package_type: text('packageType', 'Kind of the package.'),
        name: text('name', 'Name of the package.'),
        version: text('version', 'Version; null for none.'),
        status: text('status', '`default`, or `hidden` for one that lists leave out.'),
      },
      compare: {
        select: "SELECT * FROM packages WHERE ended_at IS NULL AND status = 'default'",
        key: ['package_id'],
        async *served(api) {
          for await (const project of api.list('/projects?order_by=id&simple=true'))
            for await (const one of api.list(`/projects/${project.id}/packages`)) {
              const { id, name, version, package_type, status } = one;
              yield { package_id: id, project_id: project.id, name, version, package_type, status };
            }
        },
      },
    }),
    defineRecords({
      kind: 'PackageFile',
      name: 'package_files',
      about: 'Files of packages.',
      key: ['package_file_id'],
      columns: {
        package_file_id: whole('packageFileId', 'Id of the file.'),
        package_id: reference('packageId', 'Id of the package.'),
        project_id: reference('projectId', 'Id of the project.'),
        file_name: text('filename', 'Name of the file.'),
        size: whole('size', 'Bytes of the file.'),
        file_sha256: text('fileSha256', 'SHA-256 of the file, in hexadecimal.'),
      },
      compare: {
        select: `SELECT package_files.* FROM package_files JOIN packages USING (package_id)
WHERE package_files.ended_at IS NULL AND packages.status = 'default'`,
        key: ['package_file_id'],
        async *served(api) {
          for await (const project of api.list('/projects?order_by=id&simple=true'))
            for await (const { id: package_id } of api.list(`/projects/${project.id}/packages`))
              for await (const file of api.list(
                `/projects/${project.id}/packages/${package_id}/package_files`,
              )) {
                const { id, file_name, size, file_sha256 } = file;
                yield {
                  package_file_id: id,
                  package_id,
                  project_id: project.id,
                  file_name,
                  size,
                  file_sha256,
                };
              }
        },
      },
    }),
  ],
};
