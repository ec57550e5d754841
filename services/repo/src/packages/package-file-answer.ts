import type { IncomingHttpHeaders } from 'node:http';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ObjectStore } from '@forgelog/object-store/object-store.ts';
import type { Answer } from '@forgelog/service-kit/answer.ts';
import { fileAnswer } from '@forgelog/service-kit/byte-range.ts';
import { disposition } from '@forgelog/service-kit/disposition.ts';
import { packageFileKey } from './package-key.ts';
import type { PackageFileRow } from './packages.projection.ts';

/** A file of a package to save, or the range of it that was asked for. */
export function packageFileAnswer(
  objects: Pick<ObjectStore, 'get'>,
  headers: IncomingHttpHeaders,
  { id: packageFileId, projectId, filename, size, fileSha256 }: PackageFileRow,
): Promise<Answer> {
  return fileAnswer(headers, {
    size,
    etag: `"${fileSha256}"`,
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': disposition('attachment', filename),
      'Content-Security-Policy': "default-src 'none'; sandbox",
    },
    async open(range) {
      const found = await objects.get(packageFileKey({ projectId, packageFileId, fileSha256 }), range);
      if (!found) throw new Rejection('record_not_found');
      return found.body;
    },
  });
}
