import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, eq, not, range } from '@forgelog/eventing/query.ts';
import { GitTimeoutError, ObjectTooLargeError } from '@forgelog/git/errors.ts';
import type { Repository } from '@forgelog/git/git.ts';
import { decodeText } from '@forgelog/git/text.ts';
import type { TreeFile } from '@forgelog/git/trees/tree-listing.ts';
import type { Worker } from '@forgelog/service-kit/slice.ts';
import { Piscina } from 'piscina';
import { projects } from '../projects/project.collection.ts';
import type { Storages } from '../projects/storages.ts';
import type { MovedListener, Repositories } from '../repository-storage/repositories.ts';
import { codeIndexFile } from './code-index-file.ts';
import type { Candidate, IndexedFile, TaskName, TaskOf, TaskResult } from './code-index-thread.ts';

/** Trigrams of the files of each default branch on this storage: docs/adr/0135-code-is-indexed-by-trigrams.md. */
export interface CodeIndex extends Worker {
  /** Files of the head of a default branch that may hold what is searched for; null where the index has no such commit in time. */
  find(projectId: number, oid: string, search: string): Promise<readonly Candidate[] | null>;
  /** The same of these projects, null for all; of all those after one. Waits a moment for what was just pushed. */
  across(projectIds: readonly number[] | null, after: number, search: string): Promise<readonly Candidate[]>;
  moved: MovedListener;
  forget(projectId: number): Promise<void>;
}

/** Bytes of a file whose lines are indexed. */
export const LARGEST_INDEXED = 1024 * 1024;
/** Files that a push changes, and characters in them, which are applied at once. */
const SMALL = { files: 1000, length: 8 * 1024 * 1024 };
/** What one transaction adds. */
const BATCH = { files: 500, length: 4 * 1024 * 1024 };
const READ_AT_ONCE = 16;
/** Milliseconds that a search waits for the index. */
const WAIT_MS = 2000;
/** Milliseconds after a push: a burst of pushes is indexed once, unless a search asks before. */
const REST_MS = 5000;
/** Times that one search tries, since pushes may come as fast as they are indexed. */
const MOST_ATTEMPTS = 3;
const FILLED_AT_ONCE = 2;
const DEADLINE_MS = { read: 5000, write: 120_000 };
const IDLE_MS = 60_000;
const MEGABYTES = 512;
const MOST_WAITING = 1000;
const PAGE = 500;
const BRANCHES = 'refs/heads/';

type Ports = Pick<ServicePorts, 'readStore' | 'log' | 'configuration'> & {
  repositories: Pick<Repositories, 'of'>;
  storages: Storages;
};

export function createCodeIndex({ readStore, log, configuration, repositories, storages }: Ports): CodeIndex {
  const file = codeIndexFile(configuration.DATA_DIR);
  const underway = new Map<number, Promise<void>>();
  /** Projects whose branches moved since they were indexed. */
  const dirty = new Set<number>();
  const turns: (() => void)[] = [];
  let filling = 0;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let sweeping: Promise<void> = Promise.resolve();
  const threads: { read?: Piscina; write?: Piscina } = {};

  // The threads start with the first question: many processes never get one.
  function run<Name extends TaskName>(
    kind: 'read' | 'write',
    name: Name,
    task: Omit<TaskOf<Name>, 'file'>,
  ): Promise<TaskResult<Name>> {
    if (stopped) return Promise.reject(new Error('the index of code has stopped'));
    threads[kind] ??= new Piscina({
      filename: fileURLToPath(new URL('./code-index-thread.ts', import.meta.url)),
      minThreads: 0,
      maxThreads: 1,
      maxQueue: MOST_WAITING,
      idleTimeout: IDLE_MS,
      resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
      env: {},
      atomics: 'disabled',
    });
    return threads[kind].run([name, { ...task, file }], { signal: AbortSignal.timeout(DEADLINE_MS[kind]) });
  }

  /** The commit to index; undefined for none, as in an empty repository or one of another storage. */
  async function headOf(projectId: number): Promise<string | undefined> {
    const project = await readStore.get(projects, projectId);
    if (!project || project.gone || project.repositoryStorage !== storages.own) return undefined;
    if (project.defaultBranch === null) return undefined;
    return repositories.of(projectId).readRef(BRANCHES + project.defaultBranch);
  }

  function catchUp(projectId: number): Promise<void> {
    const running = underway.get(projectId);
    if (running) return running;
    const begun = inTurn(() => bring(projectId))
      .catch((error: unknown) => {
        if (!stopped) log.warn({ err: error, projectId }, 'code not indexed; searches read the repository');
      })
      .finally(() => underway.delete(projectId));
    underway.set(projectId, begun);
    return begun;
  }

  async function inTurn(work: () => Promise<void>): Promise<void> {
    if (filling >= FILLED_AT_ONCE) await new Promise<void>((resolve) => turns.push(resolve));
    filling += 1;
    try {
      await work();
    } finally {
      filling -= 1;
      turns.shift()?.();
    }
  }

  async function bring(projectId: number): Promise<void> {
    if (stopped) return;
    dirty.delete(projectId);
    const head = await headOf(projectId);
    const from = await run('write', 'head', { projectId });
    if (head === undefined) {
      if (from !== undefined) await run('write', 'forget', { projectId });
      return;
    }
    if (from === head) return;
    const repository = repositories.of(projectId);
    if (from && (await change(repository, projectId, from, head))) return;
    const listing = await repository.treeListing(head);
    const missing = await run('write', 'begin', { projectId, listing });
    for await (const files of batches(repository, missing)) await run('write', 'add', { projectId, files });
    await run('write', 'end', { projectId, oid: head });
  }

  /** What a small push changed, in one transaction. False where it is not small, or cannot be told. */
  async function change(
    repository: Repository,
    projectId: number,
    from: string,
    to: string,
  ): Promise<boolean> {
    const changed = await repository.changedFiles(from, to).catch(() => undefined);
    if (!changed || changed.files.length + changed.removed.length > SMALL.files) return false;
    const files: IndexedFile[] = [];
    let length = 0;
    for await (const some of batches(repository, changed.files)) {
      length += lengthOf(some);
      if (length > SMALL.length) return false;
      files.push(...some);
    }
    return run('write', 'change', { projectId, from, to, removed: changed.removed, files });
  }

  async function sweep(): Promise<void> {
    const known = new Map(existsSync(file) ? await run('read', 'heads', {}) : []);
    const seen = new Set<number>();
    for (let after = 0; !stopped; ) {
      const where = and(
        ...[eq('gone', false), eq('repositoryStorage', storages.own), not(eq('defaultBranch', null))],
        range('id', { gt: after }),
      );
      const rows = await readStore.find(projects, { where, sort: [asc('id')], limit: PAGE, select: ['id'] });
      for (const { id } of rows) {
        if (stopped) return;
        seen.add(id);
        if ((await headOf(id).catch(() => undefined)) !== known.get(id)) await catchUp(id);
      }
      if (rows.length < PAGE) break;
      after = rows.at(-1)!.id;
    }
    for (const id of known.keys()) if (!stopped && !seen.has(id)) await catchUp(id);
  }

  function flush(): void {
    timer = undefined;
    for (const projectId of dirty) void catchUp(projectId);
  }

  return {
    async find(projectId, oid, search) {
      const end = performance.now() + WAIT_MS;
      try {
        for (let attempt = 1; ; attempt += 1) {
          const found = await run('read', 'candidates', { projectId, oid, search });
          const left = end - performance.now();
          if (found !== null || left <= 0 || attempt === MOST_ATTEMPTS) return found;
          if ((await headOf(projectId)) !== oid || !(await isDone(catchUp(projectId), left))) return null;
        }
      } catch (error) {
        if (!stopped) log.warn({ err: error, projectId }, 'the index of code does not answer');
        return null;
      }
    },
    async across(projectIds, after, search) {
      const waited = [...dirty, ...underway.keys()].filter((id) => projectIds?.includes(id) ?? true);
      if (waited.length > 0) await isDone(Promise.all(waited.map(catchUp)), WAIT_MS);
      try {
        return await run('read', 'across', { projectIds: projectIds && [...projectIds], after, search });
      } catch (error) {
        if (!stopped) log.warn({ err: error }, 'the index of code does not answer');
        throw new GitTimeoutError();
      }
    },
    async moved(projectId, updates) {
      if (stopped || !updates.some(({ ref }) => ref.startsWith(BRANCHES))) return;
      dirty.add(projectId);
      timer ??= setTimeout(flush, REST_MS).unref();
    },
    async forget(projectId) {
      dirty.delete(projectId);
      await underway.get(projectId);
      if (!stopped && existsSync(file)) await run('write', 'forget', { projectId });
    },
    async start() {
      sweeping = sweep().catch((error: unknown) => {
        if (!stopped) log.warn({ err: error }, 'the index of code is not brought up to date');
      });
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await Promise.all([threads.read?.destroy(), threads.write?.destroy()]);
      for (const turn of turns.splice(0)) turn();
      await Promise.all([sweeping, ...underway.values()]);
    },
  };
}

async function isDone(work: Promise<unknown>, ms: number): Promise<boolean> {
  const late = new AbortController();
  const done = work.then(() => true);
  const timeout = sleep(ms, false, { signal: late.signal, ref: false }).catch(() => false);
  try {
    return await Promise.race([done, timeout]);
  } finally {
    late.abort();
  }
}

const lengthOf = (files: readonly IndexedFile[]) =>
  files.reduce((sum, { text }) => sum + (text?.length ?? 0), 0);

/** Files with their texts, in parts of a size that one transaction takes. */
async function* batches(repository: Repository, files: readonly TreeFile[]): AsyncGenerator<IndexedFile[]> {
  let batch: IndexedFile[] = [];
  let length = 0;
  for (let at = 0; at < files.length; at += READ_AT_ONCE) {
    const some = files.slice(at, at + READ_AT_ONCE);
    const read = await Promise.all(
      some.map(async ({ path, oid }) => ({ path, oid, text: await textOf(repository, oid) })),
    );
    batch.push(...read);
    length += lengthOf(read);
    if (batch.length < BATCH.files && length < BATCH.length) continue;
    yield batch;
    batch = [];
    length = 0;
  }
  if (batch.length > 0) yield batch;
}

/** null for a file that is binary, or larger than what is indexed. */
export async function textOf(
  repository: Repository,
  oid: string,
  most = LARGEST_INDEXED,
): Promise<string | null> {
  const blob = await repository.objects.read(oid, most).catch((error: unknown) => {
    if (error instanceof ObjectTooLargeError) return undefined;
    throw error;
  });
  if (!blob || isBinary(blob.content)) return null;
  return decodeText(blob.content);
}

/** As git tells it, which looks so far. */
const isBinary = (content: Buffer) => content.subarray(0, 8000).includes(0);
