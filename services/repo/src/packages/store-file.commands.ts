import { createHash, type Hash } from 'node:crypto';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { PackageStatus } from '@forgelog/contracts/repo/packages/package.values.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { ConflictError } from '@forgelog/eventing/command-handler.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { ObjectTooLargeError } from '@forgelog/object-store/object-store.ts';
import {
  type DebianPublication,
  type PackageIdentity,
  packageDecider,
  packageStream,
} from './package.decider.ts';
import { packageFileKey } from './package-key.ts';

type StorePorts = Pick<ServicePorts, 'commands' | 'ids' | 'objects'>;

export interface ArrivedFile {
  packageFileId: number;
  key: string;
  size: number;
  fileSha256: string;
  fileSha1: string;
  fileMd5: string;
}

/** Puts the bytes where nobody sees them yet. @throws 400 for a file that is too large, with nothing stored */
export async function storeBytes(
  { ids, objects }: Pick<StorePorts, 'ids' | 'objects'>,
  projectId: number,
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<ArrivedFile> {
  const sha1 = createHash('sha1');
  const md5 = createHash('md5');
  // An id is taken once the file is there, so that what breaks off takes none.
  let packageFileId = 0;
  const keyOf = async (fileSha256: string) => {
    packageFileId = await ids.next('packageFile');
    return packageFileKey({ projectId, packageFileId, fileSha256 });
  };
  try {
    const stored = await objects.put(keyOf, hashed(body, [sha1, md5]), { maxBytes });
    const { key, size, sha256: fileSha256 } = stored;
    return {
      ...{ packageFileId, key, size, fileSha256 },
      ...{ fileSha1: sha1.digest('hex'), fileMd5: md5.digest('hex') },
    };
  } catch (error) {
    throw error instanceof ObjectTooLargeError ? fileTooLarge() : error;
  }
}

export const fileTooLarge = () => new Rejection('bad_request', { reason: 'File is too large' });

async function* hashed(body: AsyncIterable<Uint8Array>, hashes: readonly Hash[]) {
  for await (const chunk of body) {
    for (const hash of hashes) hash.update(chunk);
    yield chunk;
  }
}

export interface FileOfPackage extends PackageIdentity {
  filename: string;
  /** Undefined keeps the current value. */
  status?: PackageStatus | undefined;
}

export interface NamedFile extends ArrivedFile {
  filename: string;
  publication?: DebianPublication | undefined;
}

/** Makes a stored file one of the package, which begins with it where it is not there. @returns the id of the file */
export async function addToPackage(
  ports: StorePorts,
  { filename, ...target }: FileOfPackage,
  file: ArrivedFile,
  metadata: EventMetadata,
): Promise<number> {
  await addAllToPackage(ports, target, [{ filename, ...file }], metadata);
  return file.packageFileId;
}

/** All of them, or none. */
export async function addAllToPackage(
  { commands, ids, objects }: StorePorts,
  { status, ...identity }: Omit<FileOfPackage, 'filename'>,
  stored: readonly NamedFile[],
  metadata: EventMetadata,
): Promise<void> {
  const stream = packageStream(identity);
  try {
    const { state } = await commands.load(packageDecider, stream);
    const newPackageId = state.packageId === null ? await ids.next('package') : null;
    const files = stored.map(({ key: _, ...file }) => file);
    const command = { type: 'StorePackageFiles' as const, ...identity, newPackageId, status, files };
    await commands.handle(packageDecider, stream, command, metadata);
  } catch (error) {
    if (error instanceof Rejection || error instanceof ConflictError)
      for (const { key } of stored) await objects.delete(key);
    throw error;
  }
}
