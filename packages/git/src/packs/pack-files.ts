import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { syncFolder } from '../objects/loose-object-writer.ts';

/** `name` has no extension. */
export interface PackFile {
  name: string;
  bytes: number;
}

const NAME = /^(pack-[0-9a-f]{40})\.(\w+)$/;
/** Extensions that mark a pack as in use by a running push or by the operator. */
const CLAIMED = ['keep', 'promisor', 'mtimes', 'bitmap'];
/** Refers to packs by name, and belongs to the operator too. */
const INDEX_OF_MANY = 'multi-pack-index';

const packFolder = (objects: string) => join(objects, 'pack');

/** Unmarked packs in a folder of objects, smallest first. */
export async function freePacks(objects: string): Promise<PackFile[]> {
  const files = await readdir(packFolder(objects));
  if (files.includes(INDEX_OF_MANY)) return [];
  const endings = new Map<string, string[]>();
  for (const file of files) {
    const [, name, ending] = NAME.exec(file) ?? [];
    if (name && ending) endings.set(name, [...(endings.get(name) ?? []), ending]);
  }
  const packs: PackFile[] = [];
  for (const [name, has] of endings) {
    if (!has.includes('idx') || !has.includes('pack') || CLAIMED.some((claim) => has.includes(claim)))
      continue;
    packs.push({ name, bytes: (await stat(join(packFolder(objects), `${name}.pack`))).size });
  }
  return packs.sort((a, b) => a.bytes - b.bytes);
}

/** All packs that git reads, without their extension. */
export async function packNames(objects: string): Promise<string[]> {
  const files = new Set(await readdir(packFolder(objects)));
  return [...files].flatMap((file) => {
    const [, name, ending] = NAME.exec(file) ?? [];
    return name && ending === 'idx' && files.has(`${name}.pack`) ? [name] : [];
  });
}

export async function packedBytes(objects: string): Promise<number> {
  let bytes = 0;
  // A concurrent merge may have removed a pack.
  for (const file of await readdir(packFolder(objects)))
    if (file.endsWith('.pack'))
      bytes += (await stat(join(packFolder(objects), file)).catch(() => null))?.size ?? 0;
  return bytes;
}

/**
 * Selects packs to merge, given smallest first, so that each remaining one is at least twice as large as all smaller ones
 * together. So few packs remain, and a large one is rewritten only after as much was added.
 */
export function packsToGather(packs: readonly PackFile[]): PackFile[] {
  let first = packs.length - 1;
  while (first > 0 && packs[first]!.bytes >= 2 * packs[first - 1]!.bytes) first -= 1;
  if (first <= 0) return [];
  let count = first + 1;
  let bytes = packs.slice(0, count).reduce((sum, pack) => sum + pack.bytes, 0);
  while (count < packs.length && packs[count]!.bytes < 2 * bytes) bytes += packs[count++]!.bytes;
  return packs.slice(0, count);
}

export async function objectsInPack(objects: string, name: string): Promise<Set<string>> {
  const ids = (await idsInPack(objects, name)).toString('hex');
  return new Set(Array.from({ length: ids.length / 40 }, (_, at) => ids.slice(at * 40, at * 40 + 40)));
}

/** Ids compared per turn of the event loop, in about a millisecond. */
const IDS_A_TURN = 10_000;

/** True if the other pack holds each object of the first. */
export async function isWithin(objects: string, name: string, other: string): Promise<boolean> {
  const ids = await idsInPack(objects, name);
  const among = await idsInPack(objects, other);
  let at = 0;
  for (let id = 0, compared = 1; id < ids.length; compared += 1) {
    if (at >= among.length) return false;
    const order = among.compare(ids, id, id + OID_BYTES, at, at + OID_BYTES);
    if (order > 0) return false;
    if (order === 0) id += OID_BYTES;
    else at += OID_BYTES;
    if (compared % IDS_A_TURN === 0) await setImmediate();
  }
  return true;
}

const OID_BYTES = 20;

/** The ascending ids of an index of version 2, concatenated. */
async function idsInPack(objects: string, name: string): Promise<Buffer> {
  const index = await readFile(join(packFolder(objects), `${name}.idx`));
  if (index.readUInt32BE(0) !== 0xff744f63 || index.readUInt32BE(4) !== 2)
    throw new Error(`${name}.idx is no index of version 2`);
  const fanOut = 256 * 4;
  const count = index.readUInt32BE(8 + fanOut - 4);
  return index.subarray(8 + fanOut, 8 + fanOut + count * OID_BYTES);
}

/** Moves a pack with synced files to another folder of objects; durable once this resolves. */
export async function movePack(name: string, from: string, to: string): Promise<void> {
  const files = (await readdir(packFolder(from))).filter((file) => file.startsWith(`${name}.`));
  for (const ending of ['pack', 'idx'])
    if (!files.includes(`${name}.${ending}`)) throw new Error(`git made no ${name}.${ending}`);
  // git and sweeps ignore an index without its pack, so the pack moves last.
  for (const file of files.sort((a, b) => Number(a.endsWith('.pack')) - Number(b.endsWith('.pack'))))
    await rename(join(packFolder(from), file), join(packFolder(to), file));
  await syncFolder(packFolder(to));
}

/** Open readers continue. The pack goes first, since git ignores an index without one. */
export async function removePack(objects: string, name: string): Promise<void> {
  for (const ending of ['pack', 'idx', 'rev'])
    await rm(join(packFolder(objects), `${name}.${ending}`), { force: true });
}
