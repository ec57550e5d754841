import { createMessage, readSignature, verify } from 'openpgp';
import { parsed } from './pgp-key.ts';

/** Ids (16 hexadecimal digits) of the keys that made a detached signature; empty if it cannot be parsed. */
export async function pgpSigners(armoredSignature: string): Promise<string[]> {
  const signature = await readSignature({ armoredSignature }).catch(() => undefined);
  return signature?.getSigningKeyIDs().map((id) => id.toHex()) ?? [];
}

/** Whether the key made the only signature over the payload, and was valid when it did. */
export async function isPgpSigned(
  payload: Uint8Array,
  armoredSignature: string,
  armoredKey: string,
): Promise<boolean> {
  const key = await parsed(armoredKey);
  if (!key) return false;
  try {
    const { signatures } = await verify({
      message: await createMessage({ binary: payload }),
      signature: await readSignature({ armoredSignature }),
      verificationKeys: key,
      format: 'binary',
    });
    const [only, ...others] = signatures;
    return only !== undefined && others.length === 0 && (await only.verified);
  } catch {
    return false;
  }
}
