import { expect, test } from 'vitest';
import { uploadLink, uploadName } from './upload-name.ts';

test('an uploaded file keeps its name as far as an address can have it', () => {
  for (const [given, name] of [
    ['sketch.png', 'sketch.png'],
    ['C:\\Users\\ada\\my notes.txt', 'my_notes.txt'],
    ['../../etc/passwd', 'passwd'],
    ['Übersicht-α+β_1.pdf', 'Übersicht-α+β_1.pdf'],
    ['U\u0308ber.txt', 'Über.txt'],
    ['a]b(c)"d\r\n\0.md', 'a_b_c__d___.md'],
    ['\ud800.png', '_.png'],
    ['', '_'],
    ['..', '_..'],
    ['folder/', '_'],
  ] as const)
    expect(uploadName(given), given).toBe(name);
});

test('a long name is cut between characters and keeps its extension', () => {
  expect(uploadName(`${'ü'.repeat(300)}.png`)).toBe(`${'ü'.repeat(125)}.png`);
  const odd = uploadName(`a.${'x'.repeat(400)}`);
  expect(Buffer.byteLength(odd)).toBeLessThanOrEqual(255);
  expect(odd).toMatch(/^a\.x+\.x{31}$/);
});

test('Markdown embeds images and links everything else', () => {
  expect(uploadLink('/uploads/1/a.b.png', 'a.b.png')).toEqual({
    alt: 'a.b',
    markdown: '![a.b](/uploads/1/a.b.png)',
  });
  expect(uploadLink('/uploads/1/a.svg', 'a.svg')).toEqual({
    alt: 'a.svg',
    markdown: '[a.svg](/uploads/1/a.svg)',
  });
});
