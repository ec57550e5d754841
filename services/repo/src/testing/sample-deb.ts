import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

type Fields = Readonly<Record<string, string>>;

export const SAMPLE_CONTROL = {
  Package: 'engine-tools',
  Version: '1.2.0',
  Architecture: 'amd64',
  Maintainer: 'Ann Author <ann@example.com>',
  Description: 'Tools of the engine room\n They are sharp.',
};

const printed = (fields: Fields) =>
  Object.entries(fields)
    .map(([name, value]) => `${name}:${value.startsWith('\n') ? '' : ' '}${value}\n`)
    .join('');

/** A binary package without files, with these fields beside those of the sample. */
export const sampleDeb = (
  fields: Fields = {},
  packed = (tar: Buffer) => gzipSync(tar),
  ending = '.gz',
): Buffer =>
  archive({
    'debian-binary': Buffer.from('2.0\n'),
    [`control.tar${ending}`]: packed(tarOf({ './control': printed({ ...SAMPLE_CONTROL, ...fields }) })),
    'data.tar.gz': gzipSync(tarOf({})),
  });

export function archive(members: Readonly<Record<string, Buffer>>): Buffer {
  const parts = Object.entries(members).flatMap(([name, content]) => [
    Buffer.from(`${name.padEnd(16)}0           0     0     100644  ${String(content.length).padEnd(10)}\`\n`),
    content,
    Buffer.alloc(content.length % 2, '\n'),
  ]);
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts]);
}

export function tarOf(files: Readonly<Record<string, string>>): Buffer {
  const blocks = Object.entries(files).flatMap(([name, content]) => {
    const header = Buffer.alloc(512);
    const bytes = Buffer.from(content);
    header.write(name, 0);
    header.write(`0000644\0${'0000000\0'.repeat(2)}${bytes.length.toString(8).padStart(11, '0')}\0`, 100);
    header.write('00000000000\0        0', 136);
    header.write('ustar\x0000', 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

/** What an uploader says of these files. */
export function sampleChanges(
  files: Readonly<Record<string, Buffer>>,
  fields: Fields = {},
  section = 'utils',
): string {
  const lines = (kind: string, between: string) =>
    Object.entries(files)
      .map(([name, bytes]) => {
        const digest = createHash(kind).update(bytes).digest('hex');
        return `\n ${digest} ${bytes.length} ${between}${name}`;
      })
      .join('');
  const { Version, Maintainer } = SAMPLE_CONTROL;
  return printed({
    ...{ Format: '1.8', Source: 'engine-tools', Architecture: 'amd64', Version, Distribution: 'bookworm' },
    ...{
      Maintainer,
      ...fields,
      Changes: `\n engine-tools (${Version}) bookworm; urgency=medium`,
      'Checksums-Sha1': lines('sha1', ''),
      'Checksums-Sha256': lines('sha256', ''),
      Files: lines('md5', `${section} optional `),
    },
  });
}
