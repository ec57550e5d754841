import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandHandler } from '@forgelog/eventing/command-handler.ts';
import { projectDecider, projectStream } from '../projects/project.decider.ts';
import type { Repositories } from './repositories.ts';

/** Repositories that are received into before their project is there: each has a mark, for the case of a kill. */
export interface UnclaimedRepositories {
  create(projectId: number, branch: string): Promise<void>;
  /** The repository has its project, or is gone. */
  settled(projectId: number): Promise<void>;
  /** At start: removes those that never got their project. */
  sweep(): Promise<void>;
}

export function unclaimedRepositories(ports: {
  root: string;
  repositories: Pick<Repositories, 'create' | 'remove'>;
  commands: Pick<CommandHandler, 'load'>;
}): UnclaimedRepositories {
  const { repositories, commands } = ports;
  const folder = join(ports.root, 'unclaimed');
  const settled = (projectId: number) => rm(join(folder, String(projectId)), { force: true });
  return {
    async create(projectId, branch) {
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, String(projectId)), '');
      await repositories.create(projectId, branch);
    },
    settled,
    async sweep() {
      for (const name of await readdir(folder).catch(() => [])) {
        const projectId = Number(name);
        // The log, not a read model that may be behind it: a project keeps its repository.
        const { state } = await commands.load(projectDecider, projectStream(projectId));
        if (state.status !== 'present') await repositories.remove(projectId);
        await settled(projectId);
      }
    },
  };
}
