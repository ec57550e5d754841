/** Writes loose objects durably, before any ref can name them. */
import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createDeflate, deflateSync } from 'node:zlib';
import type { RepositoryContext } from '../repository-context.ts';
import type { ObjectType } from './cat-file-session.ts';
import { EMPTY_TREE } from './object-id.ts';

export interface NewObject {
  oid: string;
  type: ObjectType;
  content: Buffer;
}

const AT_ONCE = 16;

export function newObject(type: ObjectType, content: Buffer): NewObject {
  const oid = createHash('sha1').update(header(type, content)).update(content).digest('hex');
  return { oid, type, content };
}

/**
 * Resolves when every object is durable: its file and parent folders are synced. Skips existing objects. A crash leaves
 * unreferenced objects at worst.
 */
export async function writeObjects(context: RepositoryContext, objects: NewObject[]): Promise<void> {
  const distinct = [...new Map(objects.map((object) => [object.oid, object])).values()];
  const written: Promise<void>[] = [];
  const absent: NewObject[] = [];
  await Promise.all(
    distinct.map(async (object) => {
      const elsewhere = context.writing.get(`${context.key}\0${object.oid}`);
      if (elsewhere) written.push(elsewhere);
      // git answers for the empty tree even if it is not stored, but fsck wants it stored.
      else if (object.oid === EMPTY_TREE || !(await context.objects.info(object.oid))) absent.push(object);
    }),
  );
  const done = Promise.withResolvers<void>();
  done.promise.catch(() => {});
  for (const { oid } of absent) context.writing.set(`${context.key}\0${oid}`, done.promise);
  try {
    await writeFiles(context, absent);
    for (const object of absent) context.objects.learn(object);
    done.resolve();
  } catch (error) {
    done.reject(error);
    throw error;
  } finally {
    for (const { oid } of absent) context.writing.delete(`${context.key}\0${oid}`);
  }
  await Promise.all(written);
}

async function writeFiles(context: RepositoryContext, objects: NewObject[]) {
  const queue = [...objects];
  const folder = join(context.gitDir, 'objects');
  const fans = new Set<string>();
  const unnamed = new Set<string>();
  const work = async () => {
    for (let object = queue.shift(); object; object = queue.shift()) {
      const fan = object.oid.slice(0, 2);
      fans.add(fan);
      const { made } = await writeFile(folder, object);
      if (made || !context.answers.get(durably(context, fan))) unnamed.add(fan);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, queue.length) }, work));
  await Promise.all([
    ...[...fans].map((fan) => syncFolder(join(folder, fan))),
    ...(unnamed.size > 0 ? [syncFolder(folder)] : []),
  ]);
  for (const fan of unnamed) context.answers.set(durably(context, fan), true, 300);
}

/** The cache key for a fan-out folder whose parent was synced since it was created. */
const durably = (context: RepositoryContext, fan: string) => `${context.key}\0folder\0${fan}`;

/** Writes the file only. The caller syncs its folder, and the parent if the folder was created. */
async function writeFile(folder: string, object: NewObject): Promise<{ made: boolean }> {
  const fan = join(folder, object.oid.slice(0, 2));
  const temporary = join(fan, `tmp_obj_${randomBytes(8).toString('hex')}`);
  let made = false;
  const create = () => open(temporary, 'wx', 0o444);
  const file = await create().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    await mkdir(fan, { recursive: true });
    made = true;
    return create();
  });
  try {
    await writeLoose(file, object);
    await file.sync();
    await rename(temporary, join(fan, object.oid.slice(2)));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return { made };
}

/** Bytes up to which compressing is cheaper than a turn through the thread pool. */
const SMALL = 16 * 1024;
const CHUNK = 256 * 1024;

async function writeLoose(file: FileHandle, { type, content }: NewObject): Promise<void> {
  if (content.length <= SMALL)
    return file.writeFile(deflateSync(Buffer.concat([header(type, content), content]), { level: 1 }));
  // In pieces, because a copy of the content and its deflated bytes would take twice its memory.
  const pieces = Readable.from([header(type, content), content]);
  await pipeline(pieces, createDeflate({ level: 1, chunkSize: CHUNK }), (deflated) =>
    file.writeFile(deflated),
  );
}

export async function syncFolder(path: string) {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function header(type: ObjectType, content: Buffer): Buffer {
  return Buffer.from(`${type} ${content.length}\0`);
}
