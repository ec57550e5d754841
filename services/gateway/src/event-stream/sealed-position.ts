import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Positions as texts that tell nothing: of one length, and different each time, even for one position. */
export interface SealedPositions {
  /** @param place where the text is valid: `project 7` */
  seal(place: string, position: string): string;
  /** undefined for a text that was not sealed for this place. */
  open(place: string, sealed: string): string | undefined;
}

const [CIPHER, NONCE, TAG] = ['aes-256-gcm', 12, 16] as const;
/** Longer than the positions of every store. */
const WIDTH = 64;

export function sealedPositions(instanceKey: () => Buffer): SealedPositions {
  let derived: Buffer | undefined;
  const key = () => {
    derived ??= Buffer.from(hkdfSync('sha256', instanceKey(), '', 'positions of event streams', 32));
    return derived;
  };
  return {
    seal(place, position) {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv(CIPHER, key(), nonce).setAAD(Buffer.from(place));
      const text = Buffer.concat([cipher.update(position.padEnd(WIDTH)), cipher.final()]);
      return Buffer.concat([nonce, text, cipher.getAuthTag()]).toString('base64url');
    },
    open(place, sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      // Reject lax base64url: only the exact text that `seal` returned opens.
      if (bytes.length !== NONCE + WIDTH + TAG || bytes.toString('base64url') !== sealed) return undefined;
      const decipher = createDecipheriv(CIPHER, key(), bytes.subarray(0, NONCE))
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(-TAG));
      try {
        const text = decipher.update(bytes.subarray(NONCE, -TAG));
        return Buffer.concat([text, decipher.final()]).toString().trimEnd();
      } catch {
        return undefined;
      }
    },
  };
}
