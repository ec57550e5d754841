import { extname } from 'node:path';
import { rasterType } from '@forgelog/service-kit/raster-image.ts';

const LONGEST = 255;

/**
 * The name that an uploaded file gets in its address: the last segment of the given one, with `_` for what is neither a
 * letter, a digit, `.`, `-`, `+` nor `_`. It has 255 bytes at most, and keeps its extension.
 */
export function uploadName(given: string): string {
  const last = given.toWellFormed().replaceAll('\\', '/').split('/').at(-1)!;
  const plain = last.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}_.+-]/gu, '_');
  const name = /^\.*$/.test(plain) ? `_${plain}` : plain;
  if (Buffer.byteLength(name) <= LONGEST) return name;
  const extension = extname(name).slice(0, 32);
  const room = LONGEST - Buffer.byteLength(extension);
  return cut(name, room) + extension;
}

/** The first characters that fit into so many bytes. */
function cut(text: string, bytes: number): string {
  let size = 0;
  let end = 0;
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > bytes) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** The link that Markdown texts of the project have: an image where it is one. */
export function uploadLink(url: string, filename: string): { alt: string; markdown: string } {
  const isImage = rasterType(filename) !== undefined;
  const alt = isImage ? filename.slice(0, -extname(filename).length) : filename;
  return { alt, markdown: `${isImage ? '!' : ''}[${alt}](${url})` };
}
