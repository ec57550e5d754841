import { createPrivateKey, createPublicKey } from 'node:crypto';
import {
  armor,
  config,
  createCleartextMessage,
  createMessage,
  enums,
  type PrivateKey,
  readPrivateKey,
  reformatKey,
  sign,
} from 'openpgp';

/** Signs texts with keys of its own. Several sign together, so that readers who know any one of them are content. */
export interface PgpSigner {
  /** The armoured public keys. */
  publicKey(): string;
  /** The text within its signature (RFC 9580, 7). */
  inline(text: string, now: Date): Promise<string>;
  detached(text: string, now: Date): Promise<string>;
}

/** Keys that are made from the same seeds at different times are the same, so nothing of them is stored. */
const BEGAN = new Date('2021-01-01T00:00:00Z');
const SEED = Buffer.from('302e020100300506032b657004220420', 'hex');
const CURVE = Buffer.from('2b06010401da470f01', 'hex');
const [V4, EDDSA] = [4, 22];

/** @param seeds 32 bytes each, the key that readers will know last first */
export async function createPgpSigner(seeds: readonly Buffer[], name: string): Promise<PgpSigner> {
  const keys = await Promise.all(seeds.map((seed) => keyOf(seed, name)));
  return {
    publicKey: () => armored(enums.armor.publicKey, Buffer.concat(keys.map((key) => key.toPublic().write()))),
    async inline(text, now) {
      const message = await createCleartextMessage({ text });
      return sign({ message, signingKeys: keys, date: now });
    },
    async detached(text, now) {
      const message = await createMessage({ binary: Buffer.from(text) });
      return (await sign({ message, signingKeys: keys, detached: true, date: now })) as string;
    },
  };
}

async function keyOf(seed: Buffer, name: string): Promise<PrivateKey> {
  const binaryKey = Buffer.concat([packet(5, secretKey(seed)), packet(13, Buffer.from(name))]);
  const { privateKey } = await reformatKey({
    privateKey: await readPrivateKey({ binaryKey }),
    userIDs: [{ name }],
    date: BEGAN,
    format: 'object',
    config: { ...config, nonDeterministicSignaturesViaNotation: false },
  });
  return privateKey;
}

/** A secret key as a packet has it (RFC 9580, 5.5.3), which no passphrase protects. */
function secretKey(seed: Buffer): Buffer {
  const privateKey = createPrivateKey({ key: Buffer.concat([SEED, seed]), format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const time = Buffer.alloc(4);
  time.writeUInt32BE(BEGAN.getTime() / 1000);
  const secret = integer(seed);
  const sum = Buffer.alloc(2);
  sum.writeUInt16BE(secret.reduce((total, byte) => (total + byte) & 0xffff, 0));
  return Buffer.concat([
    ...[Buffer.of(V4), time, Buffer.of(EDDSA, CURVE.length), CURVE],
    ...[integer(Buffer.concat([Buffer.of(0x40), spki.subarray(-32)])), Buffer.of(0), secret, sum],
  ]);
}

/** Its length in bits, then its bytes without zeros before them. */
function integer(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const significant = bytes.subarray(first);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(significant.length * 8 - Math.clz32(significant[0]!) + 24);
  return Buffer.concat([length, significant]);
}

/** With a checksum, without which GnuPG 2.2 does not read all of it. */
const armored = (type: enums.armor, bytes: Uint8Array): string =>
  armor(type, bytes, undefined, undefined, undefined, true) as string;

const packet = (tag: number, body: Buffer): Buffer =>
  Buffer.concat([Buffer.of(0xc0 | tag, body.length), body]);
