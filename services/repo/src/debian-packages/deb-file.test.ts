import { Readable } from 'node:stream';
import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { archive, sampleDeb, tarOf } from '../testing/sample-deb.ts';
import { readParagraph } from './control-paragraph.ts';
import { readDebControl } from './deb-file.ts';

const read = async (deb: Buffer) =>
  readDebControl(deb.length, async (start, end) => Readable.from([deb.subarray(start, end)]));

/** A tar with the file `./control`, which says `Package: tools`, as `xz -6` packs it. */
const XZ = Buffer.from(
  '/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4Cf/AHJdABcLyOfZ5dHD1ZV9QtvcDlxs1FkS8hWWTiymsKrGQiQrfAo8rvNP/KDKf2leZ9bo0XOabcAbQFvm28tt0a7cREkXS2aqSbFjC5wvAFYaMt6TxSk0HWljg2G2BpvK4PT5nD07isr2quo+/PDCwOUKt9XUAAAAABIcT5Oqmlu+AAGOAYBQAABOEGpbscRn+wIAAAAABFla',
  'base64',
);

test('control data is read however it is packed', async () => {
  const said = 'Package: tools\n';
  const tar = tarOf({ './md5sums': 'x'.repeat(2000), './control': said });
  const of = (name: string, packed: Buffer) =>
    archive({ 'debian-binary': Buffer.from('2.0\n'), _spare: Buffer.from('odd'), [name]: packed });
  const found = [
    await read(of('control.tar', tar)),
    await read(of('control.tar.zst', zstdCompressSync(tar))),
    await read(of('control.tar.xz', XZ)),
  ];
  expect(found.map(String)).toEqual([said, said, said]);
  const fields = readParagraph(await read(sampleDeb({ Section: 'utils' })));
  expect(fields.get('section')).toEqual({ name: 'Section', value: 'utils' });
});

test('what is no package, cut off or beyond all bounds is refused by name', async () => {
  const deb = sampleDeb();
  const binary = { 'debian-binary': Buffer.from('2.0\n') };
  const header = tarOf({ control: 'x' });
  header.write('77777777777', 124);
  for (const [wrong, message] of [
    [Buffer.alloc(0), 'is no archive of ar'],
    [Buffer.from('!<arch>\n'), 'has no control data'],
    [archive({ control: Buffer.from('x'), ...binary }), 'has no control data'],
    [archive({ ...binary, 'control.tar.bz2': Buffer.from('x') }), 'has no control data'],
    [deb.subarray(0, 200), 'is cut off'],
    [archive({ ...binary, 'control.tar.gz': Buffer.from('nothing') }), 'cannot be unpacked'],
    [archive({ ...binary, 'control.tar.xz': XZ.subarray(0, 60) }), 'cannot be unpacked'],
    [
      archive({ ...binary, 'control.tar': tarOf({ '../control': 'x', '/control': 'x' }) }),
      'has no control file',
    ],
    [archive({ ...binary, 'control.tar': header }), 'is no tar'],
    [archive({ ...binary, 'control.tar': Buffer.alloc(5000, 'a') }), 'is no tar'],
    [archive({ ...binary, 'control.tar': tarOf({ control: 'x'.repeat(200_000) }) }), 'is too large'],
  ] as const)
    await expect(read(wrong)).rejects.toThrow(message);
});

test('a bomb is unpacked no further than the bound', async () => {
  const bomb = zstdCompressSync(tarOf({ './large': 'x'.repeat(65 * 1024 * 1024), './control': 'x' }));
  const deb = archive({ 'debian-binary': Buffer.from('2.0\n'), 'control.tar.zst': bomb });
  await expect(read(deb)).rejects.toThrow('is too large');
});

test('one paragraph is all that a control file has', () => {
  const fields = readParagraph(Buffer.from('Package: a\nDescription: b\n c\n .\n d\n\n'));
  expect(fields.get('description')?.value).toBe('b\n c\n .\n d');
  for (const wrong of [
    'Package: a\n\nPackage: b\n',
    'Package: a\npackage: b\n',
    ' a\n',
    'Package\n',
    'Package: a\rPackage: b\n',
    '# a: b\n',
    '-a: b\n',
    'Package: \x00\n',
  ])
    expect(() => readParagraph(Buffer.from(wrong)), JSON.stringify(wrong)).toThrow(/paragraph|twice|control/);
  expect(() => readParagraph(Buffer.from([0x61, 0x3a, 0xff]))).toThrow('is not UTF-8');
});
