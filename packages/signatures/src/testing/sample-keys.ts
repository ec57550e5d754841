import { generateKeyPairSync } from 'node:crypto';
import { generateKey } from 'openpgp';
import { sshString } from '../ssh-wire.ts';

/** A new public key, as OpenSSH writes it. */
export function newSshKey(): string {
  const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  const blob = Buffer.concat([sshString('ssh-ed25519'), sshString(Buffer.from(x!, 'base64url'))]);
  return `ssh-ed25519 ${blob.toString('base64')}`;
}

/** A new public key in armour, which names this user. */
export async function newPgpKey(name: string, email: string): Promise<string> {
  const { publicKey } = await generateKey({ type: 'ecc', userIDs: [{ name, email }], format: 'armored' });
  return publicKey;
}
