import { expect, test } from 'vitest';
import { rasterExtension, rasterType } from './raster-image.ts';

test('a raster image is known by the end of its name', () => {
  expect(rasterType('a.PNG')).toBe('image/png');
  expect(rasterType('a.b.jpeg')).toBe('image/jpeg');
  for (const name of ['a.svg', 'a.html', 'png', 'a.png.svg', '.png'])
    expect(rasterType(name), name).toBeUndefined();
});

test('a raster image is known by its first bytes', () => {
  for (const [begin, extension] of [
    ['\x89PNG\r\n\x1a\n', '.png'],
    ['\xff\xd8\xff\xe0', '.jpg'],
    ['GIF89a', '.gif'],
    ['RIFF\x01\x02\x03\x04WEBPVP8 ', '.webp'],
    ['BM\x01\x02\x03\x04\0\0\0\0', '.bmp'],
  ] as const)
    expect(rasterExtension(Buffer.from(`${begin}rest`, 'latin1')), begin).toBe(extension);
  for (const begin of ['', '<svg>', '\x89PN', 'BM and text', 'RIFF\x01\x02\x03\x04WAVE', '\u{feff}GIF89a'])
    expect(rasterExtension(Buffer.from(begin)), begin).toBeUndefined();
});
