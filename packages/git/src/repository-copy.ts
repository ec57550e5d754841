/**
 * Copies a repository from another machine: docs/adr/0090-repositories-move-by-one-event.md.
 *
 * The files of objects never change once they have their names, so they are copied while writers go on. Only what came
 * after the last look is copied while they wait.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createInflate } from 'node:zlib';
import { GitError } from './errors.ts';
import { syncFolder } from './objects/loose-object-writer.ts';
import { writeCommitGraph } from './packs/commit-graph.ts';
import { listLoose } from './packs/loose-objects.ts';
import { packNames } from './packs/pack-files.ts';
import { fsck } from './recovery/fsck.ts';
import type { RepositoryContext } from './repository-context.ts';
import { initRepository, writeDurably } from './repository-files.ts';
import { packedRefs } from './repository-fork.ts';

/** A file of objects, by its path below `objects`. */
export interface CopiedFile {
  name: string;
  bytes: number;
  /** How many objects are in it. */
  objects: number;
}

export interface CopiedPiece {
  name: string;
  offset: number;
  length: number;
}

export interface CopySource {
  /**
   * Files that are there now. While `held`, no writer adds any.
   * @throws where writers do not let it hold them
   */
  list(held: boolean): Promise<readonly CopiedFile[]>;
  /** Null for a file that a packing removed: a later list has its objects in another. */
  read(pieces: readonly CopiedPiece[]): Promise<readonly (Buffer | null)[]>;
  /** What HEAD names, and all refs. Their objects are in every later list. */
  refs(): Promise<{ branch: string; refs: ReadonlyMap<string, string> }>;
}

const PACK = /^pack\/pack-[0-9a-f]{40}\.pack$/;
const LOOSE = /^[0-9a-f]{2}\/[0-9a-f]{38}$/;
const PACK_HEADER = 12;

/** Bytes of one read, and files of one. */
const READ = { bytes: 4 * 1024 * 1024, files: 1_000 };
/** Bytes that are copied while writers wait: with more, they are let go on first. */
const MOST_HELD_BYTES = 16 * 1024 * 1024;
const MOST_ROUNDS = 20;
const DEADLINE_MS = 3_600_000;

/** @throws GitError for a repository that needs objects of another folder */
export async function listCopiedFiles(gitDir: string, most: number): Promise<CopiedFile[] | 'large'> {
  const objects = join(gitDir, 'objects');
  if (await readFile(join(objects, 'info/alternates'), 'utf8').catch(() => ''))
    throw new GitError('depends', 'the repository needs objects of another folder: objects/info/alternates');
  const files: CopiedFile[] = [];
  const add = async (name: string, count: (path: string) => Promise<number>) => {
    const path = join(objects, name);
    try {
      files.push({ name, bytes: (await stat(path)).size, objects: await count(path) });
    } catch (error) {
      ifMissing(error);
    }
  };
  // Objects only ever move from loose ones into packs: so in this order.
  const loose = await listLoose(objects, most + 1);
  if (loose.length > most) return 'large';
  for (const oid of loose) await add(`${oid.slice(0, 2)}/${oid.slice(2)}`, async () => 1);
  for (const name of await packNames(objects)) await add(`pack/${name}.pack`, objectCount);
  return files.length > most ? 'large' : files;
}

/** Null for a file that is no longer there, or is none of objects. */
export async function readCopiedPiece(
  gitDir: string,
  { name, offset, length }: CopiedPiece,
): Promise<Buffer | null> {
  if (!PACK.test(name) && !LOOSE.test(name)) return null;
  const bytes = Buffer.alloc(length);
  try {
    const file = await open(join(gitDir, 'objects', name));
    try {
      const { bytesRead } = await file.read(bytes, 0, length, offset);
      return bytesRead === length ? bytes : null;
    } finally {
      await file.close();
    }
  } catch (error) {
    return ifMissing(error) ?? null;
  }
}

/**
 * Creates a repository with all objects and refs of another. Atomic: it is whole and checked, or does not exist. It returns
 * while writers are held, with the refs that they are held at.
 * @throws GitError `repository_exists`, `broken_copy`
 */
export async function copyRepository(
  contextOf: (gitDir: string) => RepositoryContext,
  gitDir: string,
  source: CopySource,
  signal: AbortSignal,
): Promise<void> {
  const { branch } = await source.refs();
  await initRepository(gitDir, branch, async (folder) => {
    const copy = createCopy(contextOf(folder), source, signal);
    await copy.catchUp();
    const checked = await copy.check();
    await copy.finish(checked);
  });
}

function createCopy(context: RepositoryContext, source: CopySource, signal: AbortSignal) {
  const objects = join(context.gitDir, 'objects');
  const had = new Set<string>();
  const run = { weight: 'heavy', deadlineMs: DEADLINE_MS, signal } as const;

  const missing = (files: readonly CopiedFile[]) => files.filter(({ name }) => !had.has(name));

  /** Returns whether all of them were there still. */
  async function fetch(files: readonly CopiedFile[]): Promise<boolean> {
    let all = true;
    const fans = new Set<string>();
    const small = files.filter(({ name, bytes }) => !PACK.test(name) && bytes <= READ.bytes);
    for (const batch of batchesOf(small)) {
      signal.throwIfAborted();
      const found = await source.read(batch.map(({ name, bytes }) => ({ name, offset: 0, length: bytes })));
      await Promise.all(
        batch.map(async ({ name }, at) => {
          const bytes = found[at];
          if (!bytes) all = false;
          else await writeLoose(name, (file) => file.writeFile(bytes));
        }),
      );
      for (const { name } of batch) fans.add(dirname(name));
    }
    for (const file of files) {
      const { name } = file;
      if (had.has(name) || small.includes(file)) continue;
      const wasThere = PACK.test(name)
        ? await fetchPack(file)
        : await writeLoose(name, (handle) => readAll(file, (bytes) => handle.writeFile(bytes)));
      if (wasThere) fans.add(dirname(name));
      else all = false;
    }
    for (const fan of fans) await syncFolder(join(objects, fan)).catch(ifMissing);
    return all;
  }

  /** Returns false for a file that vanished. */
  async function readAll(
    { name, bytes }: CopiedFile,
    write: (bytes: Buffer) => Promise<unknown>,
  ): Promise<boolean> {
    for (let offset = 0; offset < bytes; offset += READ.bytes) {
      signal.throwIfAborted();
      const [piece] = await source.read([{ name, offset, length: Math.min(READ.bytes, bytes - offset) }]);
      if (!piece) return false;
      await write(piece);
    }
    return true;
  }

  async function writeLoose(
    name: string,
    /** Resolves to false where the source has no such file any more. */
    fill: (file: Awaited<ReturnType<typeof open>>) => Promise<unknown>,
  ): Promise<boolean> {
    const path = join(objects, name);
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, 'w', 0o444);
    try {
      if ((await fill(file)) === false) return false;
      await file.sync();
    } finally {
      await file.close();
    }
    const hash = createHash('sha1');
    await pipeline(createReadStream(path), createInflate(), hash).catch(() => {
      throw broken(`the object ${name} cannot be read`);
    });
    if (hash.digest('hex') !== name.replace('/', '')) throw broken(`the object ${name} has another hash`);
    had.add(name);
    return true;
  }

  /** git computes the hash of each object anew, and the index from them. */
  async function fetchPack(wanted: CopiedFile): Promise<boolean> {
    const path = join(objects, wanted.name);
    const file = await open(path, 'w', 0o444);
    try {
      if (!(await readAll(wanted, (bytes) => file.writeFile(bytes)))) return false;
      await file.sync();
    } finally {
      await file.close();
    }
    const count = await objectCount(path);
    if (count !== wanted.objects) throw broken(`${wanted.name} has ${count} objects, not ${wanted.objects}`);
    const index = path.replace(/\.pack$/, '.idx');
    await context.runner.capture(context, ['index-pack', '-o', index, path], run);
    had.add(wanted.name);
    return true;
  }

  async function catchUp(): Promise<void> {
    for (let round = 1; ; round++) {
      const files = missing(await source.list(false));
      if (files.length === 0) return;
      const all = await fetch(files);
      if (all && bytesOf(files) < MOST_HELD_BYTES) return;
      if (round === MOST_ROUNDS) throw broken('more came to the repository than could be copied');
    }
  }

  return {
    catchUp,
    /** Checks all objects, and that refs reach no other. Returns the checked tips. */
    async check(): Promise<ReadonlySet<string>> {
      const { refs } = await source.refs();
      await catchUp();
      await writeDurably(join(context.gitDir, 'packed-refs'), packedRefs(refs));
      const { ok, problems } = await fsck(context, DEADLINE_MS);
      if (!ok) throw broken(`git fsck says: ${problems.slice(0, 3).join('; ')}`);
      await writeCommitGraph(context, run);
      await catchUp();
      return new Set(refs.values());
    },
    async finish(checked: ReadonlySet<string>): Promise<void> {
      for (let round = 1; ; round++) {
        const files = missing(await source.list(true));
        const isSmall = bytesOf(files) <= MOST_HELD_BYTES;
        if (isSmall && (await fetch(files))) break;
        if (round === MOST_ROUNDS) throw broken('more came to the repository than could be copied');
        await catchUp();
      }
      const { refs, branch } = await source.refs();
      const tips = [...new Set(refs.values())].filter((oid) => !checked.has(oid));
      if (tips.length > 0) {
        const input = [...tips, ...[...checked].map((oid) => `^${oid}`)].join('\n');
        await context.runner
          .capture(context, ['rev-list', '--objects', '--quiet', '--stdin'], { ...run, input: `${input}\n` })
          .catch((error: unknown) => {
            throw broken(`objects of the newest refs are missing (${(error as Error).message})`);
          });
      }
      await writeDurably(join(context.gitDir, 'packed-refs'), packedRefs(refs));
      await writeDurably(join(context.gitDir, 'HEAD'), `ref: refs/heads/${branch}\n`);
    },
  };
}

function* batchesOf(files: readonly CopiedFile[]): Generator<CopiedFile[]> {
  let batch: CopiedFile[] = [];
  let bytes = 0;
  for (const file of files) {
    if (batch.length === READ.files || (batch.length > 0 && bytes + file.bytes > READ.bytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(file);
    bytes += file.bytes;
  }
  if (batch.length > 0) yield batch;
}

const bytesOf = (files: readonly CopiedFile[]) => files.reduce((sum, { bytes }) => sum + bytes, 0);

const broken = (problem: string) => new GitError('broken_copy', problem);

/** As its header says, after `PACK` and a version. */
async function objectCount(path: string): Promise<number> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(PACK_HEADER), 0, PACK_HEADER, 0);
    return bytesRead === PACK_HEADER ? buffer.readUInt32BE(8) : 0;
  } finally {
    await file.close();
  }
}

function ifMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
