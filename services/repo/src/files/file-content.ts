import { createHash } from 'node:crypto';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { createLru } from '@forgelog/eventing/lru.ts';
import type { RawBlob } from '@forgelog/git/objects/blob-reader.ts';
import type { RepositoryReads } from '@forgelog/git/repository-reads.ts';
import type { TreeEntry } from '@forgelog/git/trees/tree-reader.ts';
import type { ProjectSummary } from '@forgelog/service-kit/access.ts';
import { headerText } from '../shared/header-text.ts';
import { needRevision } from '../shared/revisions.ts';

/** A file at a commit; its content is not read yet. */
export interface LocatedFile {
  commitId: string;
  entry: TreeEntry;
  blob: RawBlob;
}

/** @throws 404 Commit Not Found, 404 File Not Found */
export async function locateFile(
  repository: RepositoryReads,
  project: ProjectSummary,
  path: string,
  revision: string | undefined,
): Promise<LocatedFile> {
  const commitId = await needRevision(repository, project, revision, 'Commit');
  const entry = await repository.entry(commitId, path);
  if (entry?.type !== 'blob') throw new Rejection('not_found', { what: 'File' });
  const blob = await repository.openBlob(entry.oid);
  if (!blob) throw new Rejection('not_found', { what: 'File' });
  return { commitId, entry, blob };
}

export interface DescribedFile extends LocatedFile {
  ref: string;
  /** The newest commit up to `commitId` that changed the path [L42]. */
  lastCommitId: string;
  sha256: string;
}

/** @param known its content, if already read */
export async function describeFile(
  repository: RepositoryReads,
  file: LocatedFile,
  known: { ref: string; content: Buffer | undefined; signal: AbortSignal },
): Promise<DescribedFile> {
  const [last, sha256] = await Promise.all([
    repository.lastCommitOf(file.commitId, file.entry.path),
    contentSha256(file.blob, known),
  ]);
  return { ...file, ref: known.ref, lastCommitId: last ?? file.commitId, sha256 };
}

// A blob's id determines its SHA-256 in every repository.
const hashes = createLru<string, string>(20_000);

/** Hexadecimal SHA-256 of a blob. Streams the blob unless its content is known. */
async function contentSha256(
  { oid, stream }: RawBlob,
  { content, signal }: { content: Buffer | undefined; signal: AbortSignal },
): Promise<string> {
  const known = hashes.get(oid);
  if (known !== undefined) return known;
  const hash = createHash('sha256');
  if (content) hash.update(content);
  else for await (const chunk of await stream(signal)) hash.update(chunk as Buffer);
  const sha256 = hash.digest('hex');
  hashes.set(oid, sha256);
  return sha256;
}

/** The nine headers that describe a file [L193]. `compatible` adds the spelling that stock clients read. */
export function fileHeaders(file: DescribedFile, compatible: boolean): Record<string, string> {
  const values: Record<string, string> = {
    'Blob-Id': file.blob.oid,
    'Commit-Id': file.commitId,
    'Content-Sha256': file.sha256,
    Encoding: 'base64',
    'File-Name': headerText(file.entry.name),
    'File-Path': headerText(file.entry.path),
    'Last-Commit-Id': file.lastCommitId,
    Ref: headerText(file.ref),
    Size: String(file.blob.size),
  };
  const headers: Record<string, string> = {};
  for (const name in values) {
    headers[`X-Service-${name}`] = values[name]!;
    if (compatible) headers[`X-Gitlab-${name}`] = values[name]!;
  }
  return headers;
}
