import { ControlFormError } from './control-paragraph.ts';

const BLOCK = 512;

/** Bytes. */
interface TarBounds {
  all: number;
  one: number;
}

/** The content of the file of this name at the top of a tar. Reads no further than that. @throws ControlFormError */
export async function tarMember(
  tar: AsyncIterable<Uint8Array>,
  wanted: string,
  bounds: TarBounds,
): Promise<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  let skip = 0;
  let read = 0;
  for await (const chunk of tar) {
    read += chunk.length;
    if (read > bounds.all) throw tooLarge();
    const passed = Math.min(skip, chunk.length);
    skip -= passed;
    held = Buffer.concat([held, chunk.subarray(passed)]);
    while (skip === 0 && held.length >= BLOCK) {
      const header = held.subarray(0, BLOCK);
      if (header.every((byte) => byte === 0)) throw missing();
      const { name, size, isFile } = memberOf(header);
      if (isFile && name === wanted) {
        if (size > bounds.one) throw tooLarge();
        if (held.length < BLOCK + size) break;
        return Buffer.from(held.subarray(BLOCK, BLOCK + size));
      }
      const whole = BLOCK + Math.ceil(size / BLOCK) * BLOCK;
      skip = Math.max(0, whole - held.length);
      held = held.subarray(Math.min(whole, held.length));
    }
  }
  throw missing();
}

function memberOf(header: Buffer): { name: string; size: number; isFile: boolean } {
  const octal = (from: number, to: number) => {
    const digits = header
      .toString('latin1', from, to)
      .replace(/[\0 ]+$/, '')
      .trim();
    if (!/^[0-7]{1,12}$/.test(digits)) throw new ControlFormError('has control data that is no tar');
    return Number.parseInt(digits, 8);
  };
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  if (sum !== octal(148, 156)) throw new ControlFormError('has control data that is no tar');
  const type = header.toString('latin1', 156, 157);
  return {
    name: header.toString('utf8', 0, 100).replace(/\0.*$/s, '').replace(/^\.\//, ''),
    size: octal(124, 136),
    isFile: type === '0' || type === '\0',
  };
}

const tooLarge = () => new ControlFormError('has control data that is too large');
const missing = () => new ControlFormError('has no control file');
