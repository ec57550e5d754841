import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandHandler } from '@forgelog/eventing/command-handler.ts';
import { projectDecider, projectStream } from '../projects/project.decider.ts';
import type { Repositories } from './repositories.ts';

/** Repositories that exist before their project, for a first push or a fork. Each has a marker file, in case of a kill. */
export interface UnclaimedRepositories {
  create(projectId: number, branch: string): Promise<void>;
  /** Call before the repository is created in another way. */
  mark(projectId: number): Promise<void>;
  /** Call when the repository has its project, or is gone. */
  clearMark(projectId: number): Promise<void>;
  /** Removes, at start, those that never got a project. */
  sweep(): Promise<void>;
}

export function unclaimedRepositories(ports: {
  root: string;
  repositories: Pick<Repositories, 'create' | 'remove'>;
  commands: Pick<CommandHandler, 'load'>;
}): UnclaimedRepositories {
  const { repositories, commands } = ports;
  const folder = join(ports.root, 'unclaimed');
  const clearMark = (projectId: number) => rm(join(folder, String(projectId)), { force: true });
  async function mark(projectId: number): Promise<void> {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, String(projectId)), '');
  }
  return {
    async create(projectId, branch) {
      await mark(projectId);
      await repositories.create(projectId, branch);
    },
    mark,
    clearMark,
    async sweep() {
      for (const name of await readdir(folder).catch(() => [])) {
        const projectId = Number(name);
        // Ask the log, since the read model may be behind and a project must keep its repository.
        const { state } = await commands.load(projectDecider, projectStream(projectId));
        if (state.status !== 'present') await repositories.remove(projectId);
        await clearMark(projectId);
      }
    },
  };
}
