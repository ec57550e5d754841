import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { allKeys, type InstanceKey } from './instance-key.ts';

/** Seals secrets that the log must give back. The same text is sealed differently each time. */
export interface Sealer {
  /** @param place names where the text is valid: `variables-project-7/KEY` */
  seal(place: string, text: string): string;
  /** @throws SealedTextError */
  open(place: string, sealed: string): string;
}

/** Its message is for operators, and says what to do. */
export class SealedTextError extends Error {
  override readonly name = 'SealedTextError';
  readonly place: string;

  constructor(place: string, problem: string) {
    super(`${place} ${problem}`);
    this.place = place;
  }
}

const CIPHER = 'aes-256-gcm';
const [NONCE, TAG] = [12, 16] as const;
const SEALED = /^1\.([\w-]{8})\.([\w-]{38,})$/;

/** @param purpose keys of different purposes have nothing in common: `CI variables` */
export function createSealer(instanceKey: InstanceKey, purpose: string): Sealer {
  let known: { key: Buffer; mark: string }[] | undefined;

  /** The mark tells a changed key from a damaged text, and tells nothing about the key. */
  function derived() {
    known ??= allKeys(instanceKey).map((secret) => {
      const bytes = Buffer.from(hkdfSync('sha256', secret, '', `sealed ${purpose}`, 38));
      return { key: bytes.subarray(0, 32), mark: bytes.subarray(32).toString('base64url') };
    });
    return known;
  }

  return {
    seal(place, text) {
      const { key, mark } = derived()[0]!;
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG }).setAAD(Buffer.from(place));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `1.${mark}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`;
    },

    open(place, sealed) {
      const [, sealedBy, text = ''] = SEALED.exec(sealed) ?? [];
      if (sealedBy === undefined) throw damaged(place);
      const key = derived().find(({ mark }) => mark === sealedBy)?.key;
      if (key === undefined)
        throw new SealedTextError(
          place,
          'was sealed with another instance key. Start with the SECRET_KEY, or the file secret-key below DATA_DIR, that was in use before, or set the value again.',
        );
      const bytes = Buffer.from(text, 'base64url');
      if (bytes.toString('base64url') !== text) throw damaged(place);
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE), { authTagLength: TAG })
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
      try {
        return decipher.update(bytes.subarray(NONCE + TAG), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        throw damaged(place);
      }
    },
  };
}

/** Bytes of the text in UTF-8, without opening it. */
export function sizeOfSealed(sealed: string): number {
  const bytes = Math.floor((sealed.slice(sealed.lastIndexOf('.') + 1).length * 3) / 4);
  return bytes - NONCE - TAG;
}

const damaged = (place: string) =>
  new SealedTextError(
    place,
    'is damaged, or belongs to another place. Restore the log from a backup, or set the value again.',
  );
