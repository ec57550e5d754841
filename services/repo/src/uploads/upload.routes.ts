import { randomBytes } from 'node:crypto';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { createUpload, getUpload } from '@forgelog/contracts/repo/uploads/upload.api.ts';
import { settingNow } from '@forgelog/directory/settings.ts';
import { READ_ONLY } from '@forgelog/service-kit/access.ts';
import { value } from '@forgelog/service-kit/answer.ts';
import { fileAnswer } from '@forgelog/service-kit/byte-range.ts';
import { disposition } from '@forgelog/service-kit/disposition.ts';
import { rasterType } from '@forgelog/service-kit/raster-image.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { receiveFile } from '@forgelog/service-kit/streamed-file.ts';
import type { RepoPorts } from '../ports.ts';
import { uploadDecider, uploadStream } from './upload.decider.ts';
import { uploadKey } from './upload-key.ts';
import { uploadLink, uploadName } from './upload-name.ts';
import { uploads } from './uploads.projection.ts';

export function uploadRoutes(ports: RepoPorts): Implementation[] {
  const { commands, objects, readStore, repositories } = ports;

  return [
    implement(createUpload, async ({ project: { project }, body, metadata }) => {
      if (project.readOnly !== null)
        throw new Rejection('forbidden', { reason: READ_ONLY[project.readOnly] });
      const { id: projectId, fullPath } = project;
      const maxBytes = (await settingNow(ports, 'max_attachment_size')) * 1024 * 1024;
      const uploadId = randomBytes(16).toString('hex');
      const { filename, key, size, sha256 } = await receiveFile(
        body,
        { name: 'file', maxBytes },
        async ({ filename, stream }) => ({
          filename: uploadName(filename),
          ...(await objects.put((sha256) => uploadKey({ projectId, id: uploadId, sha256 }), stream, {
            maxBytes,
          })),
        }),
      );
      const command = { type: 'CreateUpload' as const, projectId, uploadId, filename, size, sha256 };
      try {
        // What is stored before a move holds writes goes with the project.
        const release = await repositories.write(projectId);
        const once = { mustBeNew: true };
        await commands
          .handle(uploadDecider, uploadStream(uploadId), command, metadata, once)
          .finally(release);
      } catch (error) {
        if (error instanceof Rejection) await objects.delete(key);
        throw error;
      }
      const url = `/uploads/${uploadId}/${encodeURIComponent(filename)}`;
      const { alt, markdown } = uploadLink(url, filename);
      return value({ alt, url, full_path: `/${fullPath}${url}`, markdown }, { status: 201 });
    }),

    implement(getUpload, async ({ params, project, headers }) => {
      const upload = await readStore.get(uploads, params.upload_id);
      if (upload?.projectId !== project.project.id || upload.filename !== params.filename)
        throw new Rejection('not_found', { what: 'File' });
      const { filename, size, sha256 } = upload;
      const image = rasterType(filename);
      return fileAnswer(headers, {
        size,
        etag: `"${sha256}"`,
        headers: {
          'Content-Type': image ?? 'application/octet-stream',
          'Content-Disposition': disposition(image ? 'inline' : 'attachment', filename),
          // A file that a browser runs nevertheless can do nothing in the name of this host.
          'Content-Security-Policy': "default-src 'none'; sandbox",
        },
        async open(range) {
          const found = await objects.get(uploadKey(upload), range);
          if (!found) throw new Rejection('not_found', { what: 'File' });
          return found.body;
        },
      });
    }),
  ];
}
