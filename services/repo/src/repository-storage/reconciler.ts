import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inBatches } from '@forgelog/eventing/batches.ts';
import { eq } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { Git } from '@forgelog/git/git.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import { projects } from '../projects/project.collection.ts';
import type { Storages } from '../projects/storages.ts';
import { cleanStop, cleanStopPath, markCleanStop } from './clean-stop.ts';
import { mendRepository } from './mending.ts';
import type { Repositories } from './repositories.ts';
import { repositoryLogEnd, repositoryRefs } from './repository-refs.projection.ts';

/**
 * Brings the repositories of this storage to what the log says before serving starts. After a clean stop it checks only
 * those changed since: docs/adr/0020-a-start-looks-at-what-changed-since-the-stop.md.
 */
export interface Reconciler {
  /** Returns the number of repositories checked. */
  start(): Promise<number>;
  /** Call once nothing runs in any repository and none is behind the log. */
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
  /** Whether every repository matches the log. */
  let isSound = false;
  const logEnd = async () => (await readStore.getFields(repositoryLogEnd, own, LAST_EVENT))?.eventId ?? '';

  async function cleanSince(): Promise<number | null> {
    const since = await cleanStop(root, await logEnd());
    await rm(cleanStopPath(root), { force: true });
    return since;
  }

  /** Removes the folders of repositories whose creation or removal was interrupted. */
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
      const stored = { where: eq('repositoryStorage', own), select: ['id', 'defaultBranch'] as const };
      for await (const page of inBatches(readStore, projects, { ...stored, size: PAGE })) {
        const due = page.filter(({ id }) => since === null || repositories.of(id).changedSince(since));
        for (let from = 0; from < due.length; from += AT_ONCE) {
          const mending = due.slice(from, from + AT_ONCE).map(async (project) => {
            const { left } = await mendRepository(ports, project, () => loggedRefs(project.id));
            if (left.length > 0) isSound = false;
          });
          // One broken repository must not keep the others from being reconciled.
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
      }
      if (seen > 0) log.info({ repositories: seen }, 'repositories looked at');
      return seen;
    },
    async stopped() {
      if (!isSound) return;
      try {
        await mkdir(root, { recursive: true });
        await markCleanStop(root, await logEnd());
      } catch (error) {
        // Without the marker, for example on a full disk, the next start only checks more. Continue the shutdown.
        log.warn({ err: error }, 'clean stop not marked; the next start looks at every repository');
      }
    },
  };
}
