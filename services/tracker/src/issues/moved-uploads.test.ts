import { expect, test } from 'vitest';
import { withUploadsOf } from './moved-uploads.ts';

const id = '66dbcd21ec5d24ed6ea225176098d52b';

test('files of the project are named by its id, and what names a place already is left', () => {
  expect(withUploadsOf(7, `![a](/uploads/${id}/a.png)\n/uploads/${id}/b.txt`)).toBe(
    `![a](/-/project/7/uploads/${id}/a.png)\n/-/project/7/uploads/${id}/b.txt`,
  );
  for (const text of [
    `[a](/-/project/5/uploads/${id}/a.png)`,
    `[a](/group/engine/uploads/${id}/a.png)`,
    `https://example.org/uploads/${id}/a.png`,
    ...['/uploads/short/a.png', ''],
  ])
    expect(withUploadsOf(7, text)).toBe(text);
});
