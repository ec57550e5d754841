import { createHash, createHmac, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Configuration } from './configuration.ts';

/** The key that seals and signs. `earlier` has those that only open and verify, while a key is rotated. */
export interface InstanceKey {
  (): Buffer;
  earlier?(): readonly Buffer[];
}

export const allKeys = (key: InstanceKey): Buffer[] => [key(), ...(key.earlier?.() ?? [])];

const TWO = /^([^,]{32,}),([^,]{32,})$/;

/** The keys in SECRET_KEY, the one that signs first. A comma in a passphrase separates nothing: its parts are shorter. */
export const secretKeys = (setting: string): string[] => TWO.exec(setting)?.slice(1) ?? [setting];

/**
 * 32 bytes from SECRET_KEY, else from a file that is created on first use. The log holds nothing that depends on the
 * key except sealed texts, so an instance whose key is lost loses no more than those.
 */
export function lazyInstanceKey(
  configuration: Pick<Configuration, 'SECRET_KEY' | 'DATA_DIR'>,
): InstanceKey & Required<InstanceKey> {
  let keys: Buffer[] | undefined;
  const read = () => {
    keys ??= readKeys(configuration);
    return keys;
  };
  return Object.assign(() => read()[0]!, { earlier: () => read().slice(1) });
}

function readKeys({ SECRET_KEY, DATA_DIR }: Pick<Configuration, 'SECRET_KEY' | 'DATA_DIR'>): Buffer[] {
  if (SECRET_KEY) return secretKeys(SECRET_KEY).map((key) => createHash('sha256').update(key).digest());
  const path = join(DATA_DIR, 'secret-key');
  try {
    writeFileSync(path, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return [Buffer.from(readFileSync(path, 'utf8').trim(), 'hex')];
}

/** The place for which a token registers runners; the id of the instance is 0. */
export interface RunnersPlace {
  kind: 'instance' | 'group' | 'project';
  id: number;
}

/** The token names its place, so it can be verified without a list of all tokens. Each reset gives another one. */
export function runnersToken(key: Buffer, { kind, id }: RunnersPlace, resets: number): string {
  const named = resets === 0 ? `runners ${kind} ${id}` : `runners ${kind} ${id} ${resets}`;
  const mac = createHmac('sha256', key).update(named).digest('base64url').slice(0, 20);
  return `GR1348941${kind[0]}${id}-${mac}`;
}

const KINDS = { i: 'instance', g: 'group', p: 'project' } as const;

/** The place that a token names, whether it is genuine or not. */
export function placeOfRunnersToken(token: string): RunnersPlace | undefined {
  const [, kind, id] = /^GR1348941([igp])(\d{1,15})-[\w-]{20}$/.exec(token) ?? [];
  return kind === undefined ? undefined : { kind: KINDS[kind as keyof typeof KINDS], id: Number(id) };
}
