import { createHash, verify } from 'node:crypto';
import { parseSshKey, sshFingerprint } from './ssh-key.ts';
import { SshReader, sshString } from './ssh-wire.ts';

/**
 * Signatures of `ssh-keygen -Y sign` (PROTOCOL.sshsig of OpenSSH). node:crypto does the arithmetic: no maintained
 * library reads them.
 */
export interface SshSignature {
  /** As in `SshKey`. */
  fingerprint: string;
  /** Whether its key signed this payload as a git object. */
  signs(payload: Uint8Array): Promise<boolean>;
}

const MAGIC = 'SSHSIG';
/** What git signs with; a signature that was made for something else proves nothing here. */
const NAMESPACE = 'git';

/** Parses an armoured signature; undefined for anything else. */
export function readSshSignature(armored: string): SshSignature | undefined {
  const body = /^-----BEGIN SSH SIGNATURE-----([A-Za-z0-9+/=\s]+)-----END SSH SIGNATURE-----\s*$/.exec(
    armored,
  );
  if (!body) return undefined;
  try {
    const reader = new SshReader(Buffer.from(body[1]!, 'base64'));
    if (reader.raw(MAGIC.length).toString() !== MAGIC || reader.uint32() !== 1) return undefined;
    const blob = reader.string();
    const [namespace, reserved, hash, signature] = [
      reader.text(),
      reader.string(),
      reader.text(),
      reader.string(),
    ];
    const signs = async (payload: Uint8Array) => {
      if (namespace !== NAMESPACE || (hash !== 'sha256' && hash !== 'sha512')) return false;
      const digest = createHash(hash).update(payload).digest();
      const fields = [namespace, reserved, hash, digest].map(sshString);
      return isSigned(Buffer.concat([Buffer.from(MAGIC), ...fields]), blob, signature).catch(() => false);
    };
    return { fingerprint: sshFingerprint(blob), signs };
  } catch {
    return undefined;
  }
}

/** In the thread pool. */
const verified = (hash: string | null, data: Buffer, key: VerifyKey, signature: Buffer): Promise<boolean> =>
  new Promise((resolve, reject) =>
    verify(hash, data, key, signature, (error, result) => (error ? reject(error) : resolve(result))),
  );
type VerifyKey = Parameters<typeof verify>[2];

async function isSigned(data: Buffer, blob: Buffer, signature: Buffer): Promise<boolean> {
  const known = parseSshKey(blob);
  if (!known) return false;
  const { type, key, curve, application } = known;
  const reader = new SshReader(signature);
  const algorithm = reader.text();
  const own = reader.string();
  // A key on hardware signs besides whether somebody touched it, and how often it has signed.
  const signed =
    application === undefined ? data : Buffer.concat([sha256(application), reader.raw(5), sha256(data)]);
  if (!reader.ended) return false;
  if (type === 'ssh-rsa') {
    const hash = RSA_HASHES[algorithm];
    return hash !== undefined && verified(hash, signed, key, own);
  }
  if (algorithm !== type) return false;
  if (!curve) return verified(null, signed, key, own);
  const fixed = fixedLength(own, curve.bytes);
  return verified(curve.hash, signed, { key, dsaEncoding: 'ieee-p1363' }, fixed);
}

/** SHA-1 (`ssh-rsa`) is not among them. */
const RSA_HASHES: Readonly<Record<string, string>> = { 'rsa-sha2-256': 'sha256', 'rsa-sha2-512': 'sha512' };

/** Both numbers of a signature by a curve, filled up to the length of a coordinate. */
function fixedLength(signature: Buffer, bytes: number): Buffer {
  const reader = new SshReader(signature);
  const numbers = [reader.integer(), reader.integer()];
  return Buffer.concat(
    numbers.flatMap((number) => [Buffer.alloc(Math.max(0, bytes - number.length)), number]),
  );
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
