import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createGit, type Git } from '@forgelog/repo/git/git.ts';
import { repositoryPath } from '@forgelog/repo/repositories/repositories.ts';
import type { Report } from './report.ts';
import type { LogContents } from './verify-log.ts';

const AT_ONCE = 4;
const MENDED_AT_START = 'the next start mends it';

/** Refs as the log has them, objects sound, nothing left behind, and no folder that no project has. */
export async function verifyRepositories(
  root: string,
  { projects, gone }: LogContents,
  report: Report,
): Promise<void> {
  const git = createGit({ root });
  try {
    const queue = [...projects];
    let done = 0;
    const work = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        await verifyRepository(git, ...next, report);
        done += 1;
        report.progress(`${done} of ${projects.size} repositories`);
      }
    };
    report.progress('no repositories');
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    await git.close();
  }
  await verifyFolders(root, projects, gone, report);
}

async function verifyRepository(
  git: Git,
  projectId: number,
  logged: ReadonlyMap<string, string>,
  report: Report,
): Promise<void> {
  const repository = git.repository(repositoryPath(projectId));
  const where = `project ${projectId} (${repositoryPath(projectId)})`;
  const present = await repository.readRefs().catch(() => null);
  if (present === null || !(await repository.exists()))
    return report.problem(`The repository of ${where} is not there.`);
  for (const ref of new Set([...logged.keys(), ...present.keys()])) {
    const [inLog, inGit] = [logged.get(ref), present.get(ref)];
    if (inLog !== inGit)
      report.problem(
        `${ref} of ${where} is ${inGit ?? 'absent'} in git and ${inLog ?? 'absent'} in the log; ${MENDED_AT_START}.`,
      );
  }
  for (const path of await repository.strays())
    report.problem(`${path} of ${where} was left behind by a git that was killed; ${MENDED_AT_START}.`);
  const { ok, problems } = await repository.fsck();
  if (!ok) report.problem(`git fsck on ${where}: ${problems.slice(0, 5).join('; ') || 'failed'}.`);
}

async function verifyFolders(
  root: string,
  projects: LogContents['projects'],
  gone: LogContents['gone'],
  report: Report,
): Promise<void> {
  const known = new Set([...projects.keys()].map(repositoryPath));
  const removed = new Map([...gone].map((id) => [repositoryPath(id), id]));
  const below = async (path: string) => {
    const entries = await readdir(join(root, path), { withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${path}/${name}`);
  };
  for (const first of await below('@hashed'))
    for (const second of await below(first))
      for (const path of await below(second)) {
        if (known.has(path)) continue;
        const id = removed.get(path);
        if (/\.git\.(new|gone)-/.test(path))
          report.problem(`${path} is half a repository; ${MENDED_AT_START}.`);
        // Not a problem: what a creation that broke off leaves, or a deletion whose turn has not come.
        else
          report.note(id === undefined ? `${path} has no project` : `${path} is of project ${id}, now gone`);
      }
}
