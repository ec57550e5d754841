/** Reads git's ref files: one per loose ref, which takes precedence, and `packed-refs`. */
import { type Dirent, readFileSync, type Stats, statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ByteCache } from '../objects/byte-cache.ts';
import { isOid } from '../objects/object-id.ts';
import { isValidRefName } from './ref-name.ts';

/** A full ref name and its object id. */
export interface Ref {
  ref: string;
  oid: string;
}

export interface RefFiles {
  gitDir: string;
  answers: ByteCache<unknown>;
}

const AT_ONCE = 64;

/**
 * Reads a loose ref; undefined if there is none. Synchronous like `stampOf`, so nothing can happen between a check and
 * this read.
 */
export function readLoose(gitDir: string, ref: string): string | undefined {
  try {
    return oidIn(readFileSync(`${gitDir}/${ref}`, 'latin1'));
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

/** Reads every loose ref below a folder (`refs/heads`); calls `entering` before it reads each folder. */
export async function readLooseBelow(
  gitDir: string,
  folder: string,
  entering: (folder: string) => void = () => {},
  into = new Map<string, string>(),
): Promise<Map<string, string>> {
  entering(folder);
  let entries: Dirent[];
  try {
    entries = await readdir(join(gitDir, folder), { withFileTypes: true });
  } catch (error) {
    if (isAbsence(error)) return into;
    throw error;
  }
  const refs = entries
    .filter((entry) => entry.isFile())
    .map((entry) => `${folder}/${entry.name}`)
    .filter(isValidRefName); // skips lock files
  for (let from = 0; from < refs.length; from += AT_ONCE) {
    const some = refs.slice(from, from + AT_ONCE);
    const oids = await Promise.all(some.map((ref) => readAside(join(gitDir, ref))));
    oids.forEach((oid, index) => {
      if (oid) into.set(some[index]!, oid);
    });
  }
  for (const entry of entries)
    if (entry.isDirectory()) await readLooseBelow(gitDir, `${folder}/${entry.name}`, entering, into);
  return into;
}

async function readAside(path: string): Promise<string | undefined> {
  try {
    return oidIn(await readFile(path, 'latin1'));
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

function oidIn(text: string): string | undefined {
  const oid = text.trimEnd();
  return isOid(oid) ? oid : undefined;
}

interface Packed {
  stamp: string;
  refs: Map<string, string>;
}

/** Parses `packed-refs`, again whenever its stamp changes: git only ever replaces the whole file. */
export async function readPacked({ gitDir, answers }: RefFiles): Promise<Map<string, string>> {
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
    if (line.charCodeAt(40) === 32) refs.set(line.slice(41), line.slice(0, 40)); // skips the header and peeled ids
  }
  return refs;
}

/**
 * Identifies a version of a file, or of a folder's list of entries; undefined if it is missing. Synchronous: a cached
 * inode costs a twentieth of a turn through the thread pool.
 */
export function stampOf(path: string): string | undefined {
  const found = look(path);
  return found && `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`;
}

/** Milliseconds since a folder changed, by the file system's clock. */
export function restedFor(path: string): number {
  const found = look(path);
  return found ? Date.now() - found.mtimeMs : Number.POSITIVE_INFINITY;
}

function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

function isAbsence(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
}
