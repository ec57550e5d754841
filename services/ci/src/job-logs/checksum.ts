import { crc32 } from 'node:zlib';
import type { ObjectKey, ObjectStore } from '@forgelog/object-store/object-store.ts';

const FORM = /^crc32:([0-9a-f]{1,8})$/i;

/** Whether an object has this size and checksum, as agents tell them of a log. True for a checksum of another kind. */
export async function isLog(
  objects: ObjectStore,
  key: ObjectKey,
  { size, checksum }: { size: number | undefined; checksum: string },
): Promise<boolean> {
  const [, wanted] = FORM.exec(checksum) ?? [];
  if (wanted === undefined) return true;
  const found = await objects.get(key);
  if (size !== undefined && (found?.size ?? 0) !== size) {
    found?.body.destroy();
    return false;
  }
  let sum = 0;
  for await (const piece of found?.body ?? []) sum = crc32(piece as Buffer, sum);
  return sum === Number.parseInt(wanted, 16);
}
