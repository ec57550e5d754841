import { pipeline, type Readable } from 'node:stream';
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

/** Compresses a body as Accept-Encoding asks. Its errors and its end go both ways. */
export function encoded(
  body: Readable,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): { stream: Readable; headers: Record<string, string> } {
  const vary = { Vary: 'Accept, Accept-Encoding' };
  const [coding] =
    headers['accept-encoding'] === undefined ? [] : new Negotiator({ headers }).encodings(OFFERED);
  if (coding !== 'zstd' && coding !== 'gzip') return { stream: body, headers: vary };
  const compressor = CODINGS[coding]();
  // The end of a broken stream is told by its connection.
  pipeline(body, compressor, () => {});
  return { stream: compressor, headers: { ...vary, 'Content-Encoding': coding } };
}
