import { Rejection } from '@forgelog/contracts/errors.ts';
import { decodeParams, type RawRecord } from '@forgelog/contracts/params.ts';
import {
  downloadGenericFile,
  genericUploadOptions,
  uploadGenericFile,
} from '@forgelog/contracts/repo/packages/generic-package.api.ts';
import { and, desc, eq, oneOf } from '@forgelog/eventing/query.ts';
import { json, value } from '@forgelog/service-kit/answer.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import type { RepoPorts } from '../ports.ts';
import { requireGenericNames } from './generic-name.rules.ts';
import { uploadedFileJson } from './package.view.ts';
import { packageFileAnswer } from './package-file-answer.ts';
import { mostBytes } from './package-limits.projection.ts';
import { packageFiles, packages } from './packages.projection.ts';
import { receiveUpload } from './receive-upload.ts';
import { addToPackage, storeBytes } from './store-file.commands.ts';

type Options = { status?: 'default' | 'hidden' | undefined; select?: 'package_file' | undefined };

export function genericPackageRoutes(ports: RepoPorts): Implementation[] {
  const { readStore, objects } = ports;
  const view = uploadedFileJson.renderer(ports);

  return [
    implement(uploadGenericFile, async ({ params, project: { project }, body, metadata }) => {
      requireGenericNames(params);
      const { id: projectId } = project;
      const maxBytes = await mostBytes(readStore, 'generic_packages_max_file_size');
      const take = (stream: AsyncIterable<Uint8Array>) => storeBytes(ports, projectId, stream, maxBytes);
      const { options, ...file } = await receiveUpload(body, maxBytes, take);
      const inForm = optionsIn(options);
      const { status = inForm.status, select = inForm.select } = params;
      const { package_name: name, package_version: version, file_name: filename } = params;
      const id = await addToPackage(
        ports,
        { projectId, packageType: 'generic', name, version, filename, status },
        file,
        metadata,
      );
      if (select === undefined) return value({ message: '201 Created' }, { status: 201 });
      const row = await readStore.get(packageFiles, id);
      if (!row) throw new Rejection('record_not_found');
      return json(view.one({ ...row, packageName: name, packageVersion: version }), { status: 201 });
    }),

    implement(downloadGenericFile, async ({ params, project: { project }, headers }) => {
      const { package_name: name, package_version: version, file_name: filename } = params;
      const [found] = await readStore.find(packages, {
        where: and(
          ...[eq('projectId', project.id), eq('packageType', 'generic')],
          ...[eq('name', name), eq('version', version), oneOf('status', ['default', 'hidden'])],
        ),
        limit: 1,
      });
      if (!found) throw new Rejection('record_not_found');
      const [file] = await readStore.find(packageFiles, {
        where: and(eq('packageId', found.id), eq('filename', filename)),
        sort: [desc('id')],
        limit: 1,
      });
      if (!file) throw new Rejection('record_not_found');
      return packageFileAnswer(objects, headers, file);
    }),
  ];
}

/** @throws 400 naming what has another value */
function optionsIn(fields: RawRecord): Options {
  const problems: string[] = [];
  const options = decodeParams(genericUploadOptions, fields, problems);
  if (problems.length > 0) throw new Rejection('invalid_parameters', { problems });
  return options;
}
