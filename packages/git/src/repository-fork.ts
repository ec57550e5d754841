/**
 * Creates a repository as a fork of another: docs/adr/0053-forks-share-packs-by-hard-links.md.
 *
 * Both are complete repositories afterwards, and neither knows of the other. git never writes into a pack, so they can
 * have the same one, as two names of one file.
 */
import { constants, copyFile, link, mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from './objects/loose-object-writer.ts';
import { listLoose } from './packs/loose-objects.ts';
import { alternatesValue } from './process/command-environment.ts';
import type { RepositoryContext } from './repository-context.ts';
import { initRepository, writeDurably } from './repository-files.ts';

export interface ForkBeginning {
  /** What HEAD names. */
  branch: string;
  /** Full name → object id. Their objects are in the source. */
  refs: ReadonlyMap<string, string>;
}

/** Files of a pack. A `.keep` belongs to whoever uses the pack in the source. */
const OF_PACK = /^(pack-[0-9a-f]{40})\.(pack|idx|rev|bitmap|mtimes|promisor)$/;
const PACKED_REFS_HEADER = '# pack-refs with: sorted \n';
/** Another file system, another owner, or as many names of a file as the file system allows. */
const UNLINKABLE = ['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP'];
/** As git compresses loose objects. */
const QUICK: [string, string][] = [['pack.compression', '1']];
const DEADLINE_MS = 1_800_000;

/**
 * Atomic: the folder has all objects and refs, or does not exist. Safe beside everything that goes on in the source.
 * @throws GitError `repository_exists`
 */
export async function forkRepository(
  source: RepositoryContext,
  gitDir: string,
  { branch, refs }: ForkBeginning,
): Promise<void> {
  const from = join(source.gitDir, 'objects');
  await initRepository(gitDir, branch, async (folder) => {
    const to = join(folder, 'objects');
    await copyAlternates(from, to);
    // A graph must not know commits that are not linked, and a packing moves loose objects into packs: so in this order.
    await linkCommitGraph(from, to);
    await packLooseObjects(source, to);
    await linkPacks(from, to);
    await writeDurably(join(folder, 'packed-refs'), packedRefs(refs));
  });
}

/** An operator may have made the source depend on another folder. */
async function copyAlternates(from: string, to: string): Promise<void> {
  const text = await readFile(join(from, 'info/alternates'), 'utf8').catch(ifMissing);
  if (text !== undefined) await writeDurably(join(to, 'info/alternates'), text);
}

/** Only speeds up: a graph that is replaced meanwhile is left out. */
async function linkCommitGraph(from: string, to: string): Promise<void> {
  const folder = 'info/commit-graphs';
  const chain = await readFile(join(from, folder, 'commit-graph-chain'), 'utf8').catch(ifMissing);
  if (chain === undefined) return;
  await mkdir(join(to, folder));
  for (const id of chain.split('\n').filter((line) => line !== ''))
    if (!(await linkFile(from, to, `${folder}/graph-${id}.graph`))) return;
  await writeDurably(join(to, folder, 'commit-graph-chain'), chain);
  await syncFolder(join(to, folder));
}

/** In one pack and as they are: to find what is similar takes long, and the packing of the fork does it. */
async function packLooseObjects(source: RepositoryContext, to: string): Promise<void> {
  const from = join(source.gitDir, 'objects');
  const loose = await listLoose(from);
  if (loose.length === 0) return;
  const args = ['pack-objects', '--window=0', '-q', join(to, 'pack/pack')];
  await source.runner.capture(source, args, {
    weight: 'heavy',
    deadlineMs: DEADLINE_MS,
    config: QUICK,
    input: Buffer.from(`${loose.join('\n')}\n`),
    env: { GIT_OBJECT_DIRECTORY: to, GIT_ALTERNATE_OBJECT_DIRECTORIES: alternatesValue([from]) },
  });
}

/**
 * A packing replaces packs by one that holds the same, which is there before they go. So whatever vanishes meanwhile is
 * in a pack of the next listing, and a listing that shows nothing new ends it.
 */
async function linkPacks(from: string, to: string): Promise<void> {
  const seen = new Set<string>();
  for (;;) {
    const names = (await readdir(join(from, 'pack'))).filter((name) => OF_PACK.test(name) && !seen.has(name));
    if (names.length === 0) break;
    for (const name of names) {
      await linkFile(from, to, `pack/${name}`);
      seen.add(name);
    }
  }
  // Of a pack that vanished, or is not accepted yet, there may be a part.
  const linked = await readdir(join(to, 'pack'));
  for (const name of linked) {
    const pack = OF_PACK.exec(name)?.[1];
    if (!linked.includes(`${pack}.pack`) || !linked.includes(`${pack}.idx`)) await rm(join(to, 'pack', name));
  }
}

/** Gives the file a second name, or copies it where that cannot be. Returns false if it has vanished. */
async function linkFile(from: string, to: string, name: string): Promise<boolean> {
  const [source, target] = [join(from, name), join(to, name)];
  try {
    await link(source, target).catch(async (error: NodeJS.ErrnoException) => {
      if (!UNLINKABLE.includes(error.code ?? '')) throw error;
      await copyFile(source, target, constants.COPYFILE_FICLONE);
      const file = await open(target);
      await file.sync().finally(() => file.close());
    });
    return true;
  } catch (error) {
    ifMissing(error);
    await rm(target, { force: true });
    return false;
  }
}

function ifMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

export function packedRefs(refs: ReadonlyMap<string, string>): string {
  const lines = [...refs].map(([ref, oid]) => ({ ref: Buffer.from(ref), line: `${oid} ${ref}\n` }));
  lines.sort((a, b) => a.ref.compare(b.ref));
  return PACKED_REFS_HEADER + lines.map(({ line }) => line).join('');
}
