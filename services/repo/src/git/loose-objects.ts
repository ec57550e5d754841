/** Writes objects, each a file of its own, so that they are on disk before any ref can name them. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { EMPTY_TREE } from './object-id.ts';
import type { ObjectType } from './object-session.ts';
import type { Store } from './store.ts';

export type NewObject = { oid: string; type: ObjectType; content: Buffer };

const deflated = promisify(deflate);
const AT_ONCE = 16;

export function newObject(type: ObjectType, content: Buffer): NewObject {
  const oid = createHash('sha1').update(header(type, content)).update(content).digest('hex');
  return { oid, type, content };
}

/**
 * Resolves when every object is durable: its file and the folders that name it are synced. What the repository
 * has already is left alone. A crash halfway leaves objects that nothing refers to.
 */
export async function writeObjects(store: Store, objects: NewObject[]): Promise<void> {
  const distinct = [...new Map(objects.map((object) => [object.oid, object])).values()];
  const written: Promise<void>[] = [];
  const absent: NewObject[] = [];
  await Promise.all(
    distinct.map(async (object) => {
      const elsewhere = store.writing.get(`${store.key}\0${object.oid}`);
      if (elsewhere) written.push(elsewhere);
      // git answers for the empty tree without having it, but fsck wants it stored.
      else if (object.oid === EMPTY_TREE || !(await store.objects.info(object.oid))) absent.push(object);
    }),
  );
  const done = Promise.withResolvers<void>();
  done.promise.catch(() => {});
  for (const { oid } of absent) store.writing.set(`${store.key}\0${oid}`, done.promise);
  try {
    await writeFiles(join(store.gitDir, 'objects'), absent);
    done.resolve();
  } catch (error) {
    done.reject(error);
    throw error;
  } finally {
    for (const { oid } of absent) store.writing.delete(`${store.key}\0${oid}`);
  }
  await Promise.all(written);
}

async function writeFiles(folder: string, objects: NewObject[]) {
  const queue = [...objects];
  const folders = new Set<string>();
  const work = async () => {
    for (let object = queue.shift(); object; object = queue.shift())
      folders.add(await writeFile(folder, object));
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, queue.length) }, work));
  await Promise.all([...folders].map(syncFolder));
  if (folders.size > 0) await syncFolder(folder);
}

/** Returns the folder of the file, whose sync is still due. */
async function writeFile(folder: string, { oid, type, content }: NewObject): Promise<string> {
  const fan = join(folder, oid.slice(0, 2));
  const temporary = join(fan, `tmp_obj_${randomBytes(8).toString('hex')}`);
  const bytes = await deflated(Buffer.concat([header(type, content), content]), { level: 1 });
  await mkdir(fan, { recursive: true });
  const file = await open(temporary, 'wx', 0o444);
  try {
    await file.writeFile(bytes);
    await file.sync();
    await file.close();
    await rename(temporary, join(fan, oid.slice(2)));
  } catch (error) {
    await file.close().catch(() => {});
    await rm(temporary, { force: true });
    throw error;
  }
  return fan;
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
