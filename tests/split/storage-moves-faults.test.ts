import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EventStore } from '@forgelog/eventing/event-store.ts';
import { EventStoreUnavailableError } from '@forgelog/eventing/event-store.ts';
import { repositoryPath } from '@forgelog/repo/repository-storage/repositories.ts';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT_TOKEN } from '../support/calls.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { addressOf, commit, emptyFolder, git, tryGit } from '../support/stock-git.ts';

const root = { name: 'root', secret: ROOT_TOKEN };
const STORAGES = ['default', 'second'];

interface Project {
  id: number;
  path_with_namespace: string;
}

/** Cuts one process from the log, before or after it appended such an event, as the end of the process does. */
function cutting() {
  const cuts = new Map<string, { at: 'before' | 'after'; of: (type: string, data: object) => boolean }>();
  const isCut = new Set<string>();
  const away = () => new EventStoreUnavailableError('the process is cut off');
  const logOf = (store: EventStore, process: string): EventStore => ({
    ...store,
    async append(stream, expected, events) {
      if (isCut.has(process)) throw away();
      const cut = cuts.get(process);
      const isHit = cut !== undefined && events.some(({ type, data }) => cut.of(type, data as object));
      if (isHit && cut.at === 'before') isCut.add(process);
      if (isCut.has(process)) throw away();
      const appended = await store.append(stream, expected, events);
      if (!isHit) return appended;
      isCut.add(process);
      throw away();
    },
    async readStream(...args) {
      if (isCut.has(process)) throw away();
      return store.readStream(...args);
    },
  });
  const mend = () => {
    cuts.clear();
    isCut.clear();
  };
  return { logOf, cuts, isCut, mend };
}

async function prepared(own: Cluster): Promise<{ project: Project; folder: string; objects: string[] }> {
  const given = { name: 'moved', repository_storage: 'default', initialize_with_readme: true };
  const { body: project } = await own.post('/projects', given);
  const folder = join(await emptyFolder(), 'copy');
  await git('.', 'clone', '-q', addressOf(own, project.path_with_namespace, root), folder);
  for (let file = 0; file < 120; file += 1) await writeFile(join(folder, `f${file}`), `${file}\n`);
  await git(folder, 'add', '-A');
  await commit(folder, 'Many files');
  await git(folder, 'push', '-q', 'origin', 'HEAD:main', 'HEAD:side');
  return {
    project,
    folder,
    objects: await objectsIn(join(own.folderOf('default'), repositoryPath(project.id))),
  };
}

const objectsIn = async (gitDir: string) =>
  (await git(gitDir, 'cat-file', '--batch-all-objects', '--batch-check=%(objectname)')).split('\n').sort();

const advancesTo = (state: string) => (type: string, data: object) =>
  type === 'StorageMoveAdvanced' && (data as { changes: { state: string } }).changes.state === state;
const isMoved = (type: string) => type === 'RepositoryMoved';

const DESTINATION = 'repo-1';
const SOURCE = 'repo-0';

test.each([
  ['the destination', 'before', 'it starts', DESTINATION, advancesTo('started')],
  ['the destination', 'after', 'it started', DESTINATION, advancesTo('started')],
  ['the destination', 'before', 'the event that moves', DESTINATION, isMoved],
  ['the destination', 'after', 'the event that moves', DESTINATION, isMoved],
  ['the destination', 'before', 'it says so', DESTINATION, advancesTo('replicated')],
  ['the source', 'before', 'it tells that it removed', SOURCE, advancesTo('finished')],
  ['the source', 'after', 'it told that it removed', SOURCE, advancesTo('finished')],
] as const)(
  '%s ends %s %s: the repository is wholly here or there, and the next start goes on',
  async (_, at, __, process, of) => {
    const { logOf, cuts, isCut, mend } = cutting();
    const own = await startCluster({ storages: STORAGES, storagesReturn: true, logOf });
    onTestFinished(() => own.stop());
    const { project, folder, objects } = await prepared(own);
    cuts.set(process, { at, of });
    const place = `/projects/${project.id}`;
    const asked = { destination_storage_name: 'second' };
    const { body: move } = await own.post(`${place}/repository_storage_moves`, asked);
    await expect.poll(() => isCut.has(process)).toBe(true);

    // Whoever has it by the log has it whole, meanwhile as well.
    const { body: shown } = await own.get(place);
    if (shown.repository_storage !== undefined && process === DESTINATION) {
      const holder = join(own.folderOf(shown.repository_storage), repositoryPath(project.id));
      expect(await objectsIn(holder)).toEqual(objects);
    }
    const index = process === DESTINATION ? 1 : 0;
    const [cut] = own.replicas.repo.splice(index, 1);
    await cut!.stop().catch(() => {});
    mend();
    await own.startStorage(STORAGES[index]!);
    if (index === 0) own.replicas.repo.reverse();
    const stateNow = async () => (await own.get(`/project_repository_storage_moves/${move.id}`)).body?.state;
    await expect.poll(stateNow).toBe('finished');
    const there = join(own.folderOf('second'), repositoryPath(project.id));
    expect(await objectsIn(there)).toEqual(objects);
    expect(await tryGit(there, 'fsck', '--strict', '--full')).toMatchObject({ code: 0 });
    expect(existsSync(join(own.folderOf('default'), repositoryPath(project.id)))).toBe(false);
    // Nothing half-made is left beside.
    for (const storage of STORAGES) {
      const found = await readdir(join(own.folderOf(storage), '@hashed'), { recursive: true });
      expect(found.filter((path) => /\.git\.(new|gone)-/.test(path))).toEqual([]);
    }
    const moved = (await own.store.readAll({ after: '', limit: 100_000 })).filter(({ type }) =>
      isMoved(type),
    );
    expect(moved).toHaveLength(1);
    await commit(folder, 'After the move');
    const pushed = await tryGit(folder, 'push', '-q', 'origin', 'HEAD:main');
    expect(pushed).toMatchObject({ code: 0 });
  },
  90_000,
);

test('a source that does not answer keeps its repository, and the move goes on when it is back', async () => {
  const own = await startCluster({ storages: STORAGES, storagesReturn: true });
  onTestFinished(() => own.stop());
  const { project } = await prepared(own);
  await own.replicas.repo.splice(0, 1)[0]!.stop();
  const asked = { destination_storage_name: 'second' };
  const ask = () => own.post(`/projects/${project.id}/repository_storage_moves`, asked);
  // One of two asks the instance that is away.
  const answers = [await ask(), await ask()];
  const made = answers.find(({ status }) => status === 201)!;
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 503]);
  const stateNow = async () =>
    (await own.get(`/project_repository_storage_moves/${made.body.id}`)).body?.state;
  await expect.poll(stateNow).toBe('started');
  await own.startStorage('default');
  await expect.poll(stateNow, { timeout: 60_000 }).toBe('finished');
}, 90_000);
