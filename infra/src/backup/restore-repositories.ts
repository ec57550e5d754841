import { join } from 'node:path';
import type { CommandHandler } from '@forgelog/eventing/command-handler.ts';
import { createGit } from '@forgelog/git/git.ts';
import { projectDecider, projectStream } from '@forgelog/repo/projects/project.decider.ts';
import { mendRepository } from '@forgelog/repo/repository-storage/mending.ts';
import { createRepositories, repositoryPath } from '@forgelog/repo/repository-storage/repositories.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import type { Report } from '../verification/report.ts';
import type { LogContents } from '../verification/verify-log.ts';
import { repositoryFolder } from './data-folder-files.ts';
import type { FileRestorer } from './restore-files.ts';

const AT_ONCE = 4;
const SHOWN = 3;

/** Makes the repository of each project of the log, with its refs as the log has them. */
export async function restoreRepositories(
  ports: { dataDir: string; files: FileRestorer; commands: CommandHandler; log: Logger; report: Report },
  projects: LogContents['projects'],
): Promise<void> {
  const { dataDir, files, commands, log, report } = ports;
  const git = createGit({ root: join(dataDir, 'repositories') });
  const repositories = createRepositories({ git, commands, log });
  const queue = [...projects];
  let done = 0;

  async function restore(id: number, refs: ReadonlyMap<string, string>): Promise<void> {
    const { state } = await commands.load(projectDecider, projectStream(id));
    const defaultBranch = state.status === 'present' ? state.defaultBranch : null;
    await files.repository(repositoryFolder(id), defaultBranch ?? 'main');
    const { left } = await mendRepository({ repositories, log }, { id, defaultBranch }, async () => refs);
    if (left.length === 0) return;
    const more = left.length > SHOWN ? [`and ${left.length - SHOWN} more`] : [];
    report.problem(
      `Project ${id} (${repositoryPath(id)}) lacks ${left.length} of ${refs.size} refs: ` +
        [...left.slice(0, SHOWN), ...more].join('; '),
    );
  }

  async function work(): Promise<void> {
    for (let next = queue.shift(); next; next = queue.shift()) {
      await restore(...next);
      done += 1;
      report.progress(`${done} of ${projects.size} repositories`);
    }
  }

  report.progress('no repositories');
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    await git.close();
  }
}
