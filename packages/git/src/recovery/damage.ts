/**
 * Repairs small files that a power cut or a failing disk leaves unreadable, so that git refuses the ref or the
 * repository. Each can be rebuilt from the log.
 */
import { type Dirent, statSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../objects/loose-object-writer.ts';
import { isOid } from '../objects/object-id.ts';
import { isValidRefName } from '../refs/ref-name.ts';
import { readHead } from '../refs/ref-store.ts';
import { REPOSITORY_CONFIG, REPOSITORY_FOLDERS, setHead, writeDurably } from '../repository-files.ts';

/** `path` is relative to the repository. `problem` completes a sentence that starts with it. */
export interface Damage {
  kind: 'folder' | 'config' | 'head' | 'packed-refs' | 'ref' | 'object';
  path: string;
  problem: string;
}

const AT_ONCE = 64;
/** In other namespaces symbolic refs are the operator's own. */
const OWNED = /^refs\/(heads|tags)\//;

/** Checks every small file of a repository, but no objects. */
export async function findDamage(gitDir: string): Promise<Damage[]> {
  const found: Damage[] = [];
  for (const path of REPOSITORY_FOLDERS)
    if (!isFolder(join(gitDir, path))) found.push({ kind: 'folder', path, problem: 'is not there' });
  const config = await textOf(join(gitDir, 'config'));
  if (config.includes('\0') || !/^\s*bare\s*=\s*true\s*$/m.test(config))
    found.push({ kind: 'config', path: 'config', problem: 'is not that of a bare repository' });
  if ((await readHead(gitDir).catch(() => undefined)) === undefined)
    found.push({ kind: 'head', path: 'HEAD', problem: 'names no branch' });
  const packed = await textOf(join(gitDir, 'packed-refs'));
  if (readableLines(packed).length < packed.split('\n').length - 1 || !/(^|\n)$/.test(packed))
    found.push({ kind: 'packed-refs', path: 'packed-refs', problem: 'has lines that git cannot read' });
  await brokenRefs(gitDir, 'refs', found);
  await emptyObjects(gitDir, found);
  return found;
}

/**
 * Rebuilds damaged files. Removes damaged refs and empty objects, which the log and the next push restore. Idempotent.
 */
export async function mendDamage(gitDir: string, branch: string): Promise<Damage[]> {
  const found = await findDamage(gitDir);
  for (const { kind, path } of found) {
    const full = join(gitDir, path);
    if (kind === 'folder') await mkdir(full, { recursive: true });
    else if (kind === 'config') await replace(full, REPOSITORY_CONFIG);
    else if (kind === 'head') await setHead(gitDir, branch);
    else if (kind === 'packed-refs') await replace(full, readableLines(await textOf(full)).join(''));
    else await rm(full, { force: true });
    await syncFolder(dirname(full));
  }
  return found;
}

async function brokenRefs(gitDir: string, folder: string, into: Damage[]): Promise<void> {
  const entries = await list(join(gitDir, folder));
  const files = entries.filter((entry) => entry.isFile()).map((entry) => `${folder}/${entry.name}`);
  const refs = files.filter(isValidRefName); // skips lock files
  for (let from = 0; from < refs.length; from += AT_ONCE) {
    const some = refs.slice(from, from + AT_ONCE);
    const texts = await Promise.all(some.map((ref) => textOf(join(gitDir, ref))));
    texts.forEach((text, index) => {
      const path = some[index]!;
      if (isOid(text.trimEnd()) || (text.startsWith('ref: ') && !OWNED.test(path))) return;
      into.push({ kind: 'ref', path, problem: text === '' ? 'is empty' : 'holds no object id' });
    });
  }
  for (const entry of entries)
    if (entry.isDirectory()) await brokenRefs(gitDir, `${folder}/${entry.name}`, into);
}

/** Finds empty object files: git takes their objects for stored, so no push restores them. */
async function emptyObjects(gitDir: string, into: Damage[]): Promise<void> {
  for (const { name: fan } of await list(join(gitDir, 'objects'))) {
    if (!/^[0-9a-f]{2}$/.test(fan)) continue;
    for (const { name } of await list(join(gitDir, 'objects', fan))) {
      const path = `objects/${fan}/${name}`;
      if (!isOid(fan + name) || statSync(join(gitDir, path), { throwIfNoEntry: false })?.size !== 0) continue;
      into.push({ kind: 'object', path, problem: 'is empty' });
    }
  }
}

/** The valid lines of `packed-refs` without the header: without it git sorts and peels by itself. */
function readableLines(text: string): string[] {
  const lines = text.match(/.*\n/g) ?? [];
  const isLine = (line: string) => {
    if (/^(#.*|\^[0-9a-f]{40})\n$/.test(line)) return true;
    return /^[0-9a-f]{40} .+\n$/.test(line) && isValidRefName(line.slice(41, -1));
  };
  return lines.every(isLine) ? lines : lines.filter((line) => isLine(line) && /^[0-9a-f]{40} /.test(line));
}

async function replace(path: string, text: string): Promise<void> {
  await writeDurably(`${path}.lock`, text);
  await rename(`${path}.lock`, path);
}

/** Treats an unreadable file as empty. */
const textOf = (path: string) => readFile(path, 'utf8').catch(() => '');

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

const list = (path: string): Promise<Dirent[]> => readdir(path, { withFileTypes: true }).catch(() => []);
