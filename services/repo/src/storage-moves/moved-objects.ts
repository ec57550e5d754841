/**
 * Uploads, files of the wiki and avatars of a project lie on the disk of its storage, unless all share a bucket. They move with it.
 */
import { COPY_BOUNDS } from '@forgelog/contracts/repo/storage-moves/repository-copy.operations.ts';
import { deleteBelow } from '@forgelog/object-store/delete-below.ts';
import { avatarsOf } from '@forgelog/service-kit/avatar.ts';
import { collect } from '@forgelog/service-kit/request-body.ts';
import type { RepoPorts } from '../ports.ts';
import { uploadsOf } from '../uploads/upload-key.ts';
import { wikiAttachmentsOf } from '../wikis/wiki-attachment-key.ts';

type Ports = Pick<RepoPorts, 'objects' | 'configuration' | 'repositories'>;

interface ListedFile {
  from: 'objects';
  name: string;
  bytes: number;
  objects: number;
}

export interface Piece {
  from: 'repository' | 'objects';
  name: string;
  offset: number;
  length: number;
}

const prefixesOf = (projectId: number) => [
  uploadsOf(projectId),
  wikiAttachmentsOf({ projectId, groupId: null }),
  avatarsOf({ kind: 'project', id: projectId }),
];

const areShared = ({ configuration }: Ports) => configuration.S3_BUCKET !== undefined;

export async function objectsOfProject(ports: Ports, projectId: number): Promise<ListedFile[]> {
  const found: ListedFile[] = [];
  if (areShared(ports)) return found;
  for (const prefix of prefixesOf(projectId))
    for await (const { key, size } of ports.objects.list(prefix))
      found.push({ from: 'objects', name: key, bytes: size, objects: 0 });
  return found;
}

/** Null for a file that is no longer there, or is none of the project. */
export async function piecesOf(
  { objects, repositories }: Ports,
  projectId: number,
  pieces: readonly Piece[],
): Promise<(Buffer | null)[]> {
  const read: (Buffer | null)[] = [];
  const prefixes = prefixesOf(projectId);
  let left: number = COPY_BOUNDS.bytes;
  for (const piece of pieces) {
    const { from, name, offset, length } = piece;
    left -= length;
    if (left < 0) read.push(null);
    else if (from === 'repository') read.push(await repositories.of(projectId).copiedPiece(piece));
    else if (!prefixes.some((prefix) => name.startsWith(prefix))) read.push(null);
    else {
      const found = await objects.get(name, { start: offset, end: offset + length });
      read.push(found && (await collect(found.body, length)));
    }
  }
  return read;
}

/** Stores those that lie elsewhere, and deletes others. */
export async function followObjects(
  ports: Ports,
  projectId: number,
  wanted: readonly { name: string; bytes: number }[],
  read: (piece: Piece) => Promise<Buffer | null>,
): Promise<void> {
  if (areShared(ports)) return;
  const present = new Map((await objectsOfProject(ports, projectId)).map(({ name, bytes }) => [name, bytes]));
  for (const { name, bytes } of wanted) {
    if (present.get(name) === bytes) continue;
    await ports.objects.put(name, inPieces(name, bytes, read));
  }
  const kept = new Set(wanted.map(({ name }) => name));
  for (const name of present.keys()) if (!kept.has(name)) await ports.objects.delete(name);
}

const PIECE = 4 * 1024 * 1024;

async function* inPieces(name: string, bytes: number, read: (piece: Piece) => Promise<Buffer | null>) {
  for (let offset = 0; offset < bytes; offset += PIECE) {
    const length = Math.min(PIECE, bytes - offset);
    const piece = await read({ from: 'objects', name, offset, length });
    if (piece?.length !== length) throw new Error(`${name} changed while it was copied`);
    yield piece;
  }
}

/** Deletes those that lie on this storage. Safe to repeat. */
export async function deleteObjects(ports: Ports, projectId: number, signal: AbortSignal): Promise<void> {
  if (areShared(ports)) return;
  for (const prefix of prefixesOf(projectId)) await deleteBelow(ports.objects, prefix, signal);
}
