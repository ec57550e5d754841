import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { SshReader } from './ssh-wire.ts';

/** A public key as OpenSSH writes it. */
export interface SshKey {
  type: SshKeyType;
  /** Type and key, without the comment. */
  text: string;
  comment: string;
  /** SHA-256 of the key in Base64 without padding, as `ssh-keygen -l` prints it behind `SHA256:`. */
  fingerprint: string;
  /** RSA, ECDSA or Ed25519, on hardware too, and its length. */
  algorithm: 'rsa' | 'ecdsa' | 'ed25519';
  bits: number;
  /** MD5 in pairs of hexadecimal digits, as older tools print it. */
  md5: string;
}

/** A key to verify with. */
interface SshPublicKey {
  type: SshKeyType;
  key: KeyObject;
  curve: Curve | undefined;
  /** What keys on hardware sign for; undefined for others. */
  application: Buffer | undefined;
}

interface Curve {
  crv: string;
  /** Length of a coordinate. */
  bytes: number;
  hash: string;
}

const CURVES: Readonly<Record<string, Curve>> = {
  nistp256: { crv: 'P-256', bytes: 32, hash: 'sha256' },
  nistp384: { crv: 'P-384', bytes: 48, hash: 'sha384' },
  nistp521: { crv: 'P-521', bytes: 66, hash: 'sha512' },
};
const TYPES = [
  'ssh-rsa',
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'sk-ssh-ed25519@openssh.com',
  'sk-ecdsa-sha2-nistp256@openssh.com',
] as const;
type SshKeyType = (typeof TYPES)[number];

/** Larger ones take seconds to verify with. */
const RSA_BITS = { min: 1024, max: 16_384 };

/** Parses a line of `id_*.pub`. Returns undefined for anything else, a private key included. */
export function readSshKey(line: string): SshKey | undefined {
  const [type = '', packed = '', ...comment] = line.trim().split(/[ \t]+/);
  if (/[\r\n]/.test(line.trim()) || !/^[A-Za-z0-9+/]+={0,2}$/.test(packed)) return undefined;
  const blob = Buffer.from(packed, 'base64');
  const key = parseSshKey(blob);
  if (key?.type !== type) return undefined;
  return {
    type: key.type,
    text: `${type} ${blob.toString('base64')}`,
    comment: comment.join(' '),
    ...strengthOf(key),
    fingerprint: sshFingerprint(blob),
    md5: createHash('md5')
      .update(blob)
      .digest('hex')
      .replace(/..(?=.)/g, '$&:'),
  };
}

function strengthOf({ type, key, curve }: SshPublicKey): Pick<SshKey, 'algorithm' | 'bits'> {
  if (curve) return { algorithm: 'ecdsa', bits: Number(/\d+/.exec(curve.crv)![0]) };
  if (type !== 'ssh-rsa') return { algorithm: 'ed25519', bits: 256 };
  return { algorithm: 'rsa', bits: key.asymmetricKeyDetails?.modulusLength ?? 0 };
}

export const sshFingerprint = (blob: Buffer): string =>
  createHash('sha256').update(blob).digest('base64').replace(/=+$/, '');

/** Parses the binary form of a key; undefined for one that is broken, or of an unknown type. */
export function parseSshKey(blob: Buffer): SshPublicKey | undefined {
  try {
    const reader = new SshReader(blob);
    const named = reader.text();
    const type = TYPES.find((known) => known === named);
    if (type === undefined) return undefined;
    const curve = CURVES[/nistp\d+/.exec(type)?.[0] ?? ''];
    const key = publicKey(type, curve, reader);
    const application = type.startsWith('sk-') ? reader.string() : undefined;
    return key && reader.ended ? { type, key, curve, application } : undefined;
  } catch {
    return undefined;
  }
}

function publicKey(type: SshKeyType, curve: Curve | undefined, reader: SshReader): KeyObject | undefined {
  if (type === 'ssh-rsa') {
    const [e, n] = [reader.integer(), reader.integer()];
    const bits = n.length * 8;
    if (bits < RSA_BITS.min || bits > RSA_BITS.max || e.length > 8) return undefined;
    return fromJwk({ kty: 'RSA', e: url(e), n: url(n) });
  }
  if (!curve) return fromJwk({ kty: 'OKP', crv: 'Ed25519', x: url(reader.string()) });
  const { crv, bytes } = curve;
  const name = reader.text();
  const point = reader.string();
  if (CURVES[name] !== curve || point[0] !== 4 || point.length !== 2 * bytes + 1) return undefined;
  return fromJwk({
    kty: 'EC',
    crv,
    x: url(point.subarray(1, bytes + 1)),
    y: url(point.subarray(bytes + 1)),
  });
}

const url = (bytes: Buffer) => bytes.toString('base64url');
const fromJwk = (key: Record<string, string>) => createPublicKey({ key, format: 'jwk' });
