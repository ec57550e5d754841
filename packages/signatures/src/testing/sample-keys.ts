import { createHash, generateKeyPairSync } from 'node:crypto';
import { generateKey } from 'openpgp';
import { sshString } from '../ssh-wire.ts';

/** A new public key, as OpenSSH writes it. */
export function newSshKey(): string {
  const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  return ed25519Line(Buffer.from(x!, 'base64url'));
}

/** The public key that a word stands for: another for each word, and always the same. Nothing is signed with it. */
export const sshKeyNamed = (word: string): string => ed25519Line(createHash('sha256').update(word).digest());

function ed25519Line(bytes: Buffer): string {
  const blob = Buffer.concat([sshString('ssh-ed25519'), sshString(bytes)]);
  return `ssh-ed25519 ${blob.toString('base64')}`;
}

/** A new public key in armour, which names this user. */
export async function newPgpKey(name: string, email: string): Promise<string> {
  const { publicKey } = await generateKey({ type: 'ecc', userIDs: [{ name, email }], format: 'armored' });
  return publicKey;
}
