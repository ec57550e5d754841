import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { and, eq, range } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import type { Git } from '../git/git.ts';
import { type ProjectDocument, projects } from '../projects/project.collections.ts';
import { FIRST_BRANCH } from '../projects/project-creation.ts';
import type { Storages } from '../projects/storages.ts';
import type { Repositories } from './repositories.ts';
import { repositoryLogEnd, repositoryRefs } from './repository-refs.projection.ts';

/** Before anything is served: brings every repository of this storage to what the log says, unless the last stop was clean. */
export interface Reconciler {
  /** Returns how many repositories were looked at: 0 after a clean stop. */
  start(): Promise<number>;
  /** When nothing runs in any repository any more, and none was left behind the log. */
  stopped(): Promise<void>;
}

const PAGE = 500;
const AT_ONCE = 8;
const MANY = 1_000_000;
const LAST_EVENT = ['eventId'] as const;

export function createReconciler(ports: {
  root: string;
  git: Git;
  repositories: Repositories;
  readStore: ReadStore;
  storages: Storages;
  log: Logger;
}): Reconciler {
  const { root, git, repositories, readStore, log } = ports;
  const { own } = ports.storages;
  /** Names the last event of any repository of the storage when everything had ended well. */
  const mark = join(root, 'clean-stop');
  /** Whether every repository is known to be as the log says. */
  let isSound = false;
  const logEnd = async () => (await readStore.getFields(repositoryLogEnd, own, LAST_EVENT))?.eventId ?? '';

  async function isClean(): Promise<boolean> {
    const stopped = await readFile(mark, 'utf8').catch(() => null);
    await rm(mark, { force: true });
    return stopped !== null && stopped === (await logEnd());
  }

  /** Repositories that were being made or removed lie beside the whole ones. */
  async function sweepFolders(): Promise<void> {
    const folders = async (path: string) =>
      (await readdir(join(root, path), { withFileTypes: true }).catch(() => []))
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `${path}/${name}`);
    for (const first of await folders('@hashed'))
      for (const second of await folders(first)) await git.sweepFolder(second);
  }

  async function reconcile({
    id,
    defaultBranch,
  }: Pick<ProjectDocument, 'id' | 'defaultBranch'>): Promise<void> {
    const repository = repositories.of(id);
    await repositories.create(id, defaultBranch ?? FIRST_BRANCH);
    await repository.sweep();
    const logged = await readStore.find(repositoryRefs, { where: eq('projectId', id), limit: MANY });
    const present = await repository.readRefs();
    const isBehind =
      logged.length !== present.size || logged.some(({ ref, oid }) => present.get(ref as string) !== oid);
    if (isBehind) {
      const moved = await repositories.rollForward(id);
      if (moved.length > 0) log.warn({ projectId: id, refs: moved }, 'refs rolled forward to the log');
    }
    if (defaultBranch !== null && (await repository.defaultBranch()) !== defaultBranch)
      await repository.setHead(defaultBranch);
  }

  return {
    async start() {
      isSound = await isClean();
      if (isSound) return 0;
      await sweepFolders();
      let seen = 0;
      let failed = 0;
      for (let after = 0; ; ) {
        const page = await readStore.find(projects, {
          where: and(eq('repositoryStorage', own), range('id', { gt: after })),
          sort: [{ field: 'id', direction: 'asc' }],
          limit: PAGE,
          select: ['id', 'defaultBranch'],
        });
        for (let from = 0; from < page.length; from += AT_ONCE) {
          const some = page.slice(from, from + AT_ONCE);
          // One broken repository keeps nobody from the others.
          const problem = (id: number) => (error: unknown) => {
            failed += 1;
            log.error({ err: error, projectId: id }, 'repository not reconciled');
          };
          await Promise.all(some.map((project) => reconcile(project).catch(problem(project.id))));
        }
        seen += page.length;
        if (page.length < PAGE) break;
        after = page.at(-1)!.id;
      }
      isSound = failed === 0;
      return seen;
    },
    async stopped() {
      if (!isSound) return;
      try {
        await mkdir(root, { recursive: true });
        await writeFile(mark, await logEnd());
      } catch (error) {
        // A full disk, say: it only makes the next start look, and everything else is still to be closed.
        log.warn({ err: error }, 'clean stop not marked; the next start looks at every repository');
      }
    },
  };
}
