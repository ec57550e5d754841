/** Reads the fields of a binary message of SSH (RFC 4251). @throws RangeError where it ends too early */
export class SshReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get ended(): boolean {
    return this.#at === this.#bytes.length;
  }

  byte(): number {
    return this.raw(1)[0]!;
  }

  uint32(): number {
    return this.raw(4).readUInt32BE();
  }

  string(): Buffer {
    return this.raw(this.uint32());
  }

  text(): string {
    return this.string().toString('latin1');
  }

  /** A positive integer without leading zeros. */
  integer(): Buffer {
    const bytes = this.string();
    const from = bytes.findIndex((byte) => byte !== 0);
    return bytes.subarray(from < 0 ? bytes.length : from);
  }

  raw(length: number): Buffer {
    if (length > this.#bytes.length - this.#at) throw new RangeError('a message of SSH ends too early');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}

export function sshString(bytes: Uint8Array | string): Buffer {
  const content = Buffer.from(bytes as string);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, content]);
}
