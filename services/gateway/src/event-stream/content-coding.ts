import type { Transform } from 'node:stream';
import { constants, createGzip, createZstdCompress } from 'node:zlib';
import Negotiator from 'negotiator';

/**
 * Small windows: an idle subscriber keeps its compressor's memory, about 50 KB. Each write is flushed, because an event
 * must not wait for the next one.
 */
const CODINGS = {
  zstd: () =>
    createZstdCompress({
      flush: constants.ZSTD_e_flush,
      params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_windowLog]: 15 },
    }),
  gzip: () => createGzip({ flush: constants.Z_SYNC_FLUSH, level: 3, windowBits: 13, memLevel: 5 }),
};
const OFFERED = [...Object.keys(CODINGS), 'identity'];

export type Compressor = () => Transform;

/** The compressor that Accept-Encoding asks for, if any, and the headers that tell of it. */
export function contentCoding(headers: Readonly<Record<string, string | string[] | undefined>>): {
  compressor: Compressor | undefined;
  told: Record<string, string>;
} {
  const vary = { Vary: 'Accept, Accept-Encoding' };
  const [coding] =
    headers['accept-encoding'] === undefined ? [] : new Negotiator({ headers }).encodings(OFFERED);
  if (coding !== 'zstd' && coding !== 'gzip') return { compressor: undefined, told: vary };
  return { compressor: CODINGS[coding], told: { ...vary, 'Content-Encoding': coding } };
}
