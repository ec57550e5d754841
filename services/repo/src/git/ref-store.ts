/**
 * Reads refs straight from the repository's files: a loose file, else `packed-refs`, in git's own order.
 *
 * Spawning for-each-ref costs milliseconds, and `rev-parse` would take a caller's string for more than a name.
 */
import { type Dirent, type Stats, statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isOid } from './object-id.ts';
import { assertRefName, isValidRefName } from './ref-name.ts';
import type { Store } from './store.ts';

export type Ref = { ref: string; oid: string };
type RefFiles = Pick<Store, 'gitDir' | 'answers' | 'refWriters'>;

/** Of one repository. */
const MAX_KNOWN = 10_000;
/** Who writes past us is seen after so many milliseconds: a file that everybody reads is not looked at for each. */
const LOOKED_AT_MS = 10;

/** The object id that a full ref name points to, or undefined. */
export async function readRef(store: RefFiles, ref: string): Promise<string | undefined> {
  const known = store.refWriters.known(store.gitDir);
  const read = known?.get(ref);
  const now = performance.now();
  if (read && now - read.lookedAt < LOOKED_AT_MS) return read.oid;
  const path = `${store.gitDir}/${read ? ref : assertRefName(ref)}`;
  const stamp = stampOf(path);
  // The stamp is for who writes past us; our own writers make the map forget, however alike two stamps are.
  if (read && read.stamp === stamp) {
    read.lookedAt = now;
    return read.oid;
  }
  const oid = stamp === undefined ? undefined : await readLoose(path);
  if (oid === undefined) return (await readPacked(store)).get(ref);
  if (known && known === store.refWriters.known(store.gitDir)) {
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(ref, { stamp: stamp!, oid, lookedAt: now });
  }
  return oid;
}

/** Whether the name is that of a ref which was read before, or at least one that a ref can have. */
export function canBeRef(store: RefFiles, ref: string): boolean {
  return store.refWriters.known(store.gitDir)?.has(ref) || isValidRefName(ref);
}

/** Every ref whose full name starts with `prefix` (a folder: `refs/heads/`), ordered by name bytes. */
export async function listRefs(store: RefFiles, prefix = 'refs/'): Promise<Ref[]> {
  const folder = prefix.replace(/\/+$/, '');
  if (folder !== 'refs') assertRefName(folder);
  const loose = new Map<string, string>();
  await collectLoose(store.gitDir, folder, loose);
  const refs = new Map<string, string>();
  // Packed after loose: a ref that is being packed meanwhile is in at least one of them.
  for (const [ref, oid] of await readPacked(store)) if (ref.startsWith(`${folder}/`)) refs.set(ref, oid);
  for (const [ref, oid] of loose) refs.set(ref, oid);
  return [...refs]
    .map(([ref, oid]) => ({ ref, oid }))
    .sort((a, b) => Buffer.compare(Buffer.from(a.ref), Buffer.from(b.ref)));
}

/** The branch that HEAD names, which may not exist yet (a full ref name), or undefined where HEAD is detached. */
export async function readHead(gitDir: string): Promise<string | undefined> {
  const text = await readFile(join(gitDir, 'HEAD'), 'utf8');
  const ref = /^ref: (\S+)\s*$/.exec(text)?.[1];
  return ref && isValidRefName(ref) ? ref : undefined;
}

async function readLoose(path: string): Promise<string | undefined> {
  try {
    const oid = (await readFile(path, 'latin1')).trimEnd();
    return isOid(oid) ? oid : undefined;
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

async function collectLoose(gitDir: string, folder: string, into: Map<string, string>): Promise<void> {
  let entries: Dirent[];
  try {
    entries = await readdir(join(gitDir, folder), { withFileTypes: true });
  } catch (error) {
    if (isAbsence(error)) return;
    throw error;
  }
  const files = entries.filter((entry) => entry.isFile()).map((entry) => `${folder}/${entry.name}`);
  for (let from = 0; from < files.length; from += 64) {
    const names = files.slice(from, from + 64).filter(isValidRefName); // a lock file is none
    const oids = await Promise.all(names.map((name) => readLoose(join(gitDir, name))));
    oids.forEach((oid, index) => {
      if (oid) into.set(names[index]!, oid);
    });
  }
  for (const entry of entries)
    if (entry.isDirectory()) await collectLoose(gitDir, `${folder}/${entry.name}`, into);
}

type Packed = { stamp: string; refs: Map<string, string> };

/** The parsed `packed-refs`, read again whenever the file is another one: git only ever replaces it whole. */
async function readPacked({ gitDir, answers }: RefFiles): Promise<Map<string, string>> {
  const path = join(gitDir, 'packed-refs');
  const stamp = stampOf(path);
  if (stamp === undefined) return new Map();
  const known = answers.get(path) as Packed | undefined;
  if (known?.stamp === stamp) return known.refs;
  const text = await readFile(path, 'utf8');
  const refs = parsePacked(text);
  answers.set(path, { stamp, refs }, text.length * 3);
  return refs;
}

function parsePacked(text: string): Map<string, string> {
  const refs = new Map<string, string>();
  for (const line of text.split('\n')) {
    if (line.charCodeAt(40) === 32) refs.set(line.slice(41), line.slice(0, 40)); // not a header, not a peeled id
  }
  return refs;
}

/**
 * Tells a file from the one that replaces it; undefined where there is none. Without a thread: a file that was looked
 * at before is answered from memory, for a twentieth of what a turn through the pool of threads costs.
 */
function stampOf(path: string): string | undefined {
  let found: Stats | undefined;
  try {
    found = statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (!isAbsence(error)) throw error;
  }
  return found?.isFile() ? `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}` : undefined;
}

function isAbsence(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
}
