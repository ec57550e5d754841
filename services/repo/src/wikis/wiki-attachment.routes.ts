import { randomBytes } from 'node:crypto';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { RawRecord } from '@forgelog/contracts/params.ts';
import {
  groupWikiAttachments,
  wikiAttachments as projectWikiAttachments,
  WIKI_BRANCH,
} from '@forgelog/contracts/repo/wikis/wiki-attachment.api.ts';
import { settingNow } from '@forgelog/directory/settings.ts';
import { value } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { fileAnswer } from '@forgelog/service-kit/byte-range.ts';
import { disposition } from '@forgelog/service-kit/disposition.ts';
import { rasterType } from '@forgelog/service-kit/raster-image.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { receiveFile } from '@forgelog/service-kit/streamed-file.ts';
import type { RepoPorts } from '../ports.ts';
import { uploadLink, uploadName } from '../uploads/upload-name.ts';
import type { WikiPlace } from './wiki.decider.ts';
import { groupWiki, projectWiki } from './wiki.query.ts';
import { wikiAttachmentDecider, wikiAttachmentStream } from './wiki-attachment.decider.ts';
import { wikiAttachmentKey } from './wiki-attachment-key.ts';
import { wikiAttachments } from './wiki-attachments.projection.ts';

export const wikiAttachmentRoutes = (ports: RepoPorts): Implementation[] => [
  ...routesOf(ports, projectWikiAttachments, projectWiki),
  ...routesOf(ports, groupWikiAttachments, groupWiki),
];

/** @throws 400 for a branch that the wiki does not have */
function requireBranch({ branch }: RawRecord): void {
  if (branch !== undefined && branch !== '' && branch !== WIKI_BRANCH)
    throw new Rejection('bad_request', { reason: `A wiki has one branch, ${WIKI_BRANCH}` });
}

function routesOf(
  ports: RepoPorts,
  endpoints: typeof projectWikiAttachments | typeof groupWikiAttachments,
  placeOf: (request: ApiRequest) => WikiPlace,
): Implementation[] {
  const { commands, objects, readStore, repositories } = ports;

  return [
    implement(endpoints.create, async (request) => {
      const place = placeOf(request);
      const maxBytes = (await settingNow(ports, 'max_attachment_size')) * 1024 * 1024;
      const attachmentId = randomBytes(16).toString('hex');
      const keyOf = (sha256: string) => wikiAttachmentKey(place, { id: attachmentId, sha256 });
      const { filename, key, size, sha256, fields } = await receiveFile(
        request.body,
        { name: 'file', maxBytes },
        async (file) => ({
          filename: uploadName(file.filename),
          fields: file.fields,
          ...(await objects.put(keyOf, file.stream, { maxBytes })),
        }),
      ).then(async ({ fields, ...stored }) => ({ ...stored, fields: await fields }));
      const command = {
        type: 'CreateWikiAttachment' as const,
        ...place,
        attachmentId,
        filename,
        size,
        sha256,
      };
      const stream = wikiAttachmentStream(attachmentId);
      try {
        requireBranch(fields);
        // What is stored before a move holds writes goes with the project.
        const release = place.projectId === null ? () => {} : await repositories.write(place.projectId);
        await commands
          .handle(wikiAttachmentDecider, stream, command, request.metadata, { mustBeNew: true })
          .finally(release);
      } catch (error) {
        if (error instanceof Rejection) await objects.delete(key);
        throw error;
      }
      const url = `uploads/${attachmentId}/${encodeURIComponent(filename)}`;
      const link = { url, markdown: uploadLink(url, filename).markdown };
      const file_path = `uploads/${attachmentId}/${filename}`;
      return value({ file_name: filename, file_path, branch: WIKI_BRANCH, link }, { status: 201 });
    }),

    implement(endpoints.get, async (request) => {
      const { upload_id, filename } = request.params;
      const place = placeOf(request);
      const row = await readStore.get(wikiAttachments, upload_id);
      const isThere = row?.projectId === place.projectId && row.groupId === place.groupId;
      if (!isThere || row.filename !== filename) throw new Rejection('not_found', { what: 'File' });
      const image = rasterType(filename);
      return fileAnswer(request.headers, {
        size: row.size,
        etag: `"${row.sha256}"`,
        headers: {
          'Content-Type': image ?? 'application/octet-stream',
          'Content-Disposition': disposition(image ? 'inline' : 'attachment', filename),
          // A file that a browser runs nevertheless can do nothing in the name of this host.
          'Content-Security-Policy': "default-src 'none'; sandbox",
        },
        async open(range) {
          const found = await objects.get(wikiAttachmentKey(place, row), range);
          if (!found) throw new Rejection('not_found', { what: 'File' });
          return found.body;
        },
      });
    }),
  ];
}
