import { config, type PublicKey, readKey } from 'openpgp';

/** A name and an e-mail address; each may be empty. */
export interface PgpIdentity {
  name: string;
  email: string;
}

/** A public key as its owner shows it. */
export interface PgpKey {
  /** Hexadecimal, of the primary key. */
  fingerprint: string;
  /** 16 hexadecimal digits each: the primary key, then its subkeys. */
  keyIds: string[];
  /** Those that the key certifies itself. */
  identities: PgpIdentity[];
}

const BEGINNING = /^-----BEGIN PGP PUBLIC KEY BLOCK-----\r?\n/;

/** Parses an armoured public key. Returns undefined for anything else, a private key included. */
export async function readPgpKey(armored: string): Promise<PgpKey | undefined> {
  if (!BEGINNING.test(armored.trim())) return undefined;
  const key = await parsed(armored);
  if (!key || key.isPrivate()) return undefined;
  const identities = await Promise.all(
    key.users.map(async (user) => {
      const isCertified = await user.verify(undefined, config).catch(() => false);
      return isCertified && user.userID ? [{ name: user.userID.name, email: user.userID.email }] : [];
    }),
  );
  return {
    fingerprint: key.getFingerprint(),
    keyIds: key.getKeyIDs().map((id) => id.toHex()),
    identities: identities.flat(),
  };
}

export const parsed = (armoredKey: string): Promise<PublicKey | undefined> =>
  readKey({ armoredKey }).catch(() => undefined);
