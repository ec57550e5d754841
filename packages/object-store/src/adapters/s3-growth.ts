import { Readable } from 'node:stream';
import { checkKey } from '../object-key.ts';
import type { ByteRange, ObjectFacts, OpenObject } from '../object-store.ts';
import { type Bucket, listed } from './s3-bucket.ts';

/** The pieces of a growing object lie beside each other: `<key>/+<offset>`. A `+` is in no key of `put`. */
export const growthKey = (key: string, offset?: number): string =>
  `${checkKey(key)}/+${offset === undefined ? '' : String(offset).padStart(OFFSET_DIGITS, '0')}`;

const OFFSET_DIGITS = 14;

interface Piece {
  key: string;
  start: number;
  end: number;
  modifiedAt: Date;
}

async function piecesOf(bucket: Bucket, key: string): Promise<Piece[]> {
  const prefix = growthKey(key);
  const pieces: Piece[] = [];
  for await (const { key: name, size, modifiedAt } of listed(bucket, prefix)) {
    const start = Number(name.slice(prefix.length));
    pieces.push({ key: name, start, end: start + size, modifiedAt });
  }
  return pieces;
}

export async function sizeOfGrowth(bucket: Bucket, key: string): Promise<ObjectFacts | null> {
  const last = (await piecesOf(bucket, key)).at(-1);
  return last ? { size: last.end, modifiedAt: last.modifiedAt } : null;
}

export async function readGrowth(bucket: Bucket, key: string, range?: ByteRange): Promise<OpenObject | null> {
  const pieces = await piecesOf(bucket, key);
  const size = pieces.at(-1)?.end;
  if (size === undefined) return null;
  const { start = 0, end = size } = range ?? {};
  const { s3, client, name: Bucket } = bucket;

  async function* bytes() {
    for (const piece of pieces) {
      const [from, to] = [Math.max(piece.start, start), Math.min(piece.end, end)];
      if (from >= to) continue;
      const Range = `bytes=${from - piece.start}-${to - piece.start - 1}`;
      const { Body } = await client.send(new s3.GetObjectCommand({ Bucket, Key: piece.key, Range }));
      yield* Body as Readable;
    }
  }

  return { size, body: Readable.from(bytes()) };
}
