import { extname } from 'node:path';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ObjectStore } from '@forgelog/object-store/object-store.ts';
import type { Answer } from '@forgelog/service-kit/answer.ts';
import { fileAnswer } from '@forgelog/service-kit/byte-range.ts';
import { cachingHeaders, matchesEtag, notModified } from '@forgelog/service-kit/conditional.ts';
import { disposition } from '@forgelog/service-kit/disposition.ts';
import type { JobArtifactRow } from '../jobs/jobs.collection.ts';
import { artifactObject } from '../objects/object-keys.ts';
import { findInArchive, UnreadableArchiveError } from './archive-file.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const keyOf = (artifact: JobArtifactRow) => artifactObject(artifact, artifact.fileType, artifact.sha256);

/** A whole archive, or a range of it. */
export function archiveAnswer(
  objects: ObjectStore,
  headers: Headers,
  artifact: JobArtifactRow,
): Promise<Answer> {
  return fileAnswer(headers, {
    size: artifact.size,
    etag: `"${artifact.sha256}"`,
    headers: {
      'Content-Type': 'application/zip',
      'Content-Disposition': disposition('attachment', artifact.filename),
    },
    async open(range) {
      const found = await objects.get(keyOf(artifact), range);
      if (!found) throw new Rejection('record_not_found');
      return found.body;
    },
  });
}

/** Types that no browser runs; whatever else there is comes as bytes. */
const SAFE_TYPES: Readonly<Record<string, string>> = {
  '.txt': 'text/plain; charset=utf-8',
  '.log': 'text/plain; charset=utf-8',
  '.md': 'text/plain; charset=utf-8',
  '.csv': 'text/plain; charset=utf-8',
  '.json': 'application/json',
};

/** One file out of an archive. @throws Rejection 400 for a path or archive that is none, 404 for a missing file */
export async function archivedFileAnswer(
  objects: ObjectStore,
  headers: Headers,
  artifact: JobArtifactRow,
  path: string,
): Promise<Answer> {
  requireArchivePath(path);
  const archive = { key: keyOf(artifact), size: artifact.size };
  const found = await findInArchive(objects, archive, path).catch((error: unknown) => {
    if (!(error instanceof UnreadableArchiveError)) throw error;
    throw new Rejection('bad_request', { reason: `The archive cannot be read: ${error.message}` });
  });
  if (!found) throw new Rejection('not_found', { what: 'File' });
  const etag = `"${artifact.sha256}-${found.crc32.toString(16)}"`;
  if (matchesEtag(headers, etag)) return notModified(etag);
  return {
    kind: 'stream',
    stream: await found.open(),
    headers: {
      ...cachingHeaders(etag),
      'Content-Type': SAFE_TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream',
      'Content-Disposition': disposition('attachment', path.split('/').at(-1)),
      'Content-Length': found.size,
      'X-Content-Type-Options': 'nosniff',
    },
  };
}

/** @throws Rejection 400 for a path that leads out of the archive, or names a folder [L293] */
function requireArchivePath(path: string): void {
  const words = path.split('/');
  const isWrong = words.some((word) => word === '' || word === '.' || word === '..');
  if (isWrong || path.includes('\\') || path.includes('\0'))
    throw new Rejection('bad_request', { reason: 'Invalid path of an artifact' });
}
