import { extname } from 'node:path';
import type { RASTER_TYPES } from '@forgelog/contracts/shared/raster-types.ts';

/* Images that browsers show and never run. SVG is none of them: it can hold scripts. */

type RasterType = (typeof RASTER_TYPES)[number];

const TYPES: Readonly<Record<string, RasterType>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.bmp': 'image/bmp',
};

/** The media type of a raster image by the end of its name; undefined for anything else. */
export const rasterType = (filename: string): RasterType | undefined =>
  TYPES[extname(filename).toLowerCase()];

const BEGINNINGS: readonly [extension: string, bytes: RegExp][] = [
  ['.png', /^\x89PNG\r\n\x1a\n/],
  ['.jpg', /^\xff\xd8\xff/],
  ['.gif', /^GIF8[79]a/],
  ['.webp', /^RIFF[\s\S]{4}WEBP/],
  ['.bmp', /^BM[\s\S]{4}\0{4}/],
];

/** The extension of a raster image by its first bytes; undefined for anything else. */
export function rasterExtension(content: Buffer): string | undefined {
  const head = content.subarray(0, 16).toString('latin1');
  return BEGINNINGS.find(([, bytes]) => bytes.test(head))?.[0];
}
