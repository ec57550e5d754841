import { hkdfSync, randomFillSync } from 'node:crypto';
import { allKeys, type InstanceKey } from '@forgelog/service-kit/instance-key.ts';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';

/** Positions as texts that tell nothing: of one length, and different each time, even for one position. */
export interface SealedPositions {
  /** @param place where the text is valid: `project 7` */
  seal(place: string, position: string): string;
  /** undefined for a text that was not sealed for this place. */
  open(place: string, sealed: string): string | undefined;
}

const [NONCE, TAG] = [24, 16] as const;
/** Longer than a place and the position of every store. */
const WIDTH = 96;

/** Seals by a cipher in JavaScript, because Node takes 13 µs to make one of its own for each text. */
export function sealedPositions(instanceKey: InstanceKey): SealedPositions {
  const pool = Buffer.alloc(NONCE * 128);
  let used = pool.length;
  let derived: Buffer[] | undefined;
  const ciphers = (nonce: Buffer) => {
    derived ??= allKeys(instanceKey).map((key) =>
      Buffer.from(hkdfSync('sha256', key, '', 'positions of event streams', 32)),
    );
    return derived.map((key) => xsalsa20poly1305(key, nonce));
  };

  function freshNonce(): Buffer {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    used += NONCE;
    return pool.subarray(used - NONCE, used);
  }

  return {
    seal(place, position) {
      const nonce = freshNonce();
      const text = ciphers(nonce)[0]!.encrypt(Buffer.from(`${place}\n${position}`.padEnd(WIDTH)));
      return Buffer.concat([nonce, text]).toString('base64url');
    },
    open(place, sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      // Reject lax base64url: only the exact text that `seal` returned opens.
      if (bytes.length !== NONCE + WIDTH + TAG || bytes.toString('base64url') !== sealed) return undefined;
      for (const cipher of ciphers(bytes.subarray(0, NONCE))) {
        try {
          const text = cipher.decrypt(bytes.subarray(NONCE));
          const [sealedFor, position] = Buffer.from(text).toString().trimEnd().split('\n');
          return sealedFor === place ? (position ?? '') : undefined;
        } catch {
          // Sealed with another key, or not at all.
        }
      }
      return undefined;
    },
  };
}
