import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { and, eq, range } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { Git } from '@forgelog/git/git.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import { projects } from '../projects/project.collection.ts';
import type { Storages } from '../projects/storages.ts';
import { mendRepository } from './mending.ts';
import type { Repositories } from './repositories.ts';
import { repositoryLogEnd, repositoryRefs } from './repository-refs.projection.ts';

/**
 * Before anything is served: brings repositories of this storage to what the log says. After a clean stop only those
 * that were changed since, else all of them: docs/adr/0020-a-start-looks-at-what-changed-since-the-stop.md.
 */
export interface Reconciler {
  /** Returns how many repositories were looked at. */
  start(): Promise<number>;
  /** When nothing runs in any repository any more, and none was left behind the log. */
  stopped(): Promise<void>;
}

const PAGE = 500;
const AT_ONCE = 8;
const MANY = 1_000_000;
const LAST_EVENT = ['eventId'] as const;

const markOf = (lastEvent: string, { ino }: { ino: number }) => `${lastEvent} ${ino}\n`;

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
  /**
   * Written when everything has ended well. Names the last event of any repository of the storage, and itself: a copy
   * of the folder has another inode. Older than it is all that was as the log says.
   */
  const mark = join(root, 'clean-stop');
  /** Whether every repository is known to be as the log says. */
  let isSound = false;
  const logEnd = async () => (await readStore.getFields(repositoryLogEnd, own, LAST_EVENT))?.eventId ?? '';

  /** The change time of the mark, where the last stop was clean and left this very folder and log; else null. */
  async function cleanSince(): Promise<number | null> {
    const [text, file] = await Promise.all([readFile(mark, 'utf8'), stat(mark)]).catch(() => []);
    await rm(mark, { force: true });
    return file && text === markOf(await logEnd(), file) ? file.ctimeMs : null;
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

  async function loggedRefs(projectId: number): Promise<ReadonlyMap<string, string>> {
    const found = await readStore.find(repositoryRefs, { where: eq('projectId', projectId), limit: MANY });
    return new Map(found.map(({ ref, oid }) => [ref as string, oid as string]));
  }

  return {
    async start() {
      const since = await cleanSince();
      if (since === null) await sweepFolders();
      let seen = 0;
      isSound = true;
      for (let after = 0; ; ) {
        const page = await readStore.find(projects, {
          where: and(eq('repositoryStorage', own), range('id', { gt: after })),
          sort: [{ field: 'id', direction: 'asc' }],
          limit: PAGE,
          select: ['id', 'defaultBranch'],
        });
        const due = page.filter(({ id }) => since === null || repositories.of(id).changedSince(since));
        for (let from = 0; from < due.length; from += AT_ONCE) {
          const mending = due.slice(from, from + AT_ONCE).map(async (project) => {
            const { left } = await mendRepository(ports, project, () => loggedRefs(project.id));
            if (left.length > 0) isSound = false;
          });
          // One broken repository keeps nobody from the others.
          for (const [at, outcome] of (await Promise.allSettled(mending)).entries()) {
            if (outcome.status === 'fulfilled') continue;
            isSound = false;
            const projectId = due[from + at]!.id;
            log.error(
              { err: outcome.reason, projectId },
              'repository not reconciled; put it back from a backup',
            );
          }
        }
        seen += due.length;
        if (page.length < PAGE) break;
        after = page.at(-1)!.id;
      }
      if (seen > 0) log.info({ repositories: seen }, 'repositories looked at');
      return seen;
    },
    async stopped() {
      if (!isSound) return;
      try {
        await mkdir(root, { recursive: true });
        await writeFile(mark, '');
        await writeFile(mark, markOf(await logEnd(), await stat(mark)));
      } catch (error) {
        // A full disk, say: it only makes the next start look, and everything else is still to be closed.
        log.warn({ err: error }, 'clean stop not marked; the next start looks at every repository');
      }
    },
  };
}
