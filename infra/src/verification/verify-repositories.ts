import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandHandler } from '@forgelog/eventing/command-handler.ts';
import { createGit } from '@forgelog/git/git.ts';
import { followsRecords } from '@forgelog/repo/merges/merge-request-ref-names.ts';
import { projectDecider, projectStream } from '@forgelog/repo/projects/project.decider.ts';
import { cleanStop } from '@forgelog/repo/repository-storage/clean-stop.ts';
import { mendRepository } from '@forgelog/repo/repository-storage/mending.ts';
import {
  createRepositories,
  type Repositories,
  repositoryPath,
} from '@forgelog/repo/repository-storage/repositories.ts';
import { lostObject } from '@forgelog/repo/repository-storage/roll-forward.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import type { Report } from './report.ts';
import type { LogContents } from './verify-log.ts';

const AT_ONCE = 4;
const MENDED = '`npm run repair` mends it';
const MENDED_AT_START = 'the next start mends it';
const FROM_BACKUP = 'put it back from a backup, then run `npm run repair`';

export interface VerifyRepositories {
  root: string;
  contents: LogContents;
  commands: CommandHandler;
  log: Logger;
  /** Whether to repair each repository from the log first. */
  repair?: boolean;
}

/** Verifies refs against the log, files and objects, and looks for leftovers and for folders without a project. */
export async function verifyRepositories(given: VerifyRepositories, report: Report): Promise<void> {
  const { root, contents, commands, log } = given;
  const { projects, gone } = contents;
  const git = createGit({ root });
  const repositories = createRepositories({ git, commands, log });
  const since = await cleanStop(root);
  try {
    const queue = [...projects];
    let done = 0;
    const work = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const [id, logged] = next;
        const { state } = await commands.load(projectDecider, projectStream(id));
        const defaultBranch = state.status === 'present' ? state.defaultBranch : null;
        const willBeChecked = since === null || repositories.of(id).changedSince(since);
        const project = {
          ...{ id, defaultBranch, logged, willBeChecked },
          where: `project ${id} (${repositoryPath(id)})`,
        };
        if (given.repair) await repair({ repositories, log }, project, report);
        await verifyRepository(repositories, project, report).catch((error: Error) =>
          report.problem(`The repository of ${project.where} cannot be read: ${error.message}.`),
        );
        done += 1;
        report.progress(`${done} of ${projects.size} repositories`);
      }
    };
    report.progress('no repositories');
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const sweep = given.repair ? git.sweepFolder : async () => [];
    await verifyFolders({ root, projects, gone, sweep, willBeSwept: since === null }, report);
  } finally {
    await git.close();
  }
}

interface VerifiedProject {
  id: number;
  defaultBranch: string | null;
  logged: ReadonlyMap<string, string>;
  /** Whether the next start looks at its repository (ADR 20). */
  willBeChecked: boolean;
  where: string;
}

const reportMended = (report: Report, isAtStart: boolean, text: string): void =>
  isAtStart ? report.mends(`${text}; ${MENDED_AT_START}.`) : report.problem(`${text}; ${MENDED}.`);

/** The verification afterwards reports what cannot be repaired. */
async function repair(
  ports: { repositories: Repositories; log: Logger },
  project: VerifiedProject,
  report: Report,
): Promise<void> {
  try {
    const { done } = await mendRepository(ports, project, async () => project.logged);
    for (const text of done) report.note(`${project.where} mended: ${text}`);
  } catch (error) {
    report.problem(
      `The repository of ${project.where} cannot be mended (${(error as Error).message}); ${FROM_BACKUP}.`,
    );
  }
}

async function verifyRepository(
  repositories: Repositories,
  { id, defaultBranch, logged, where, willBeChecked }: VerifiedProject,
  report: Report,
): Promise<void> {
  const mended = (text: string) => reportMended(report, willBeChecked, text);
  const repository = repositories.of(id);
  const damage = await repository.damage();
  if (damage.length > 0 && (await isMissing(repository.gitDir))) {
    const said = `The repository of ${where} is not there`;
    return logged.size === 0 ? mended(said) : report.problem(`${said}; ${FROM_BACKUP}.`);
  }
  for (const { path, problem } of damage) mended(`${path} of ${where} ${problem}`);
  const present = await repository.readRefs();
  for (const ref of new Set([...logged.keys(), ...present.keys()])) {
    const [inLog, inGit] = [logged.get(ref), present.get(ref)];
    if (inLog === inGit || followsRecords(ref)) continue;
    const isThere = inLog === undefined || (await repository.objects.info(inLog).catch(() => undefined));
    const said = `${ref} of ${where} is ${inGit ?? 'absent'} in git and ${inLog ?? 'absent'} in the log`;
    if (isThere) mended(said);
    else report.problem(`${said}; ${damage.length > 0 ? MENDED : lostObject(inLog)}.`);
  }
  const head = await repository.defaultBranch().catch(() => undefined);
  if (head !== undefined && defaultBranch !== null && head !== defaultBranch)
    mended(`HEAD of ${where} names ${head}, and the default branch is ${defaultBranch}`);
  for (const path of await repository.strays())
    mended(`${path} of ${where} was left behind by a git that was killed`);
  const { ok, problems } = await repository.fsck();
  if (!ok)
    report.problem(
      `git fsck on ${where}: ${problems.slice(0, 5).join('; ') || 'failed'}. Objects that are damaged or missing ` +
        'come back from a backup, or with a push from a clone that has them once the damaged files are removed.',
    );
}

const isMissing = (folder: string) =>
  access(folder).then(
    () => false,
    () => true,
  );

async function verifyFolders(
  given: Pick<LogContents, 'projects' | 'gone'> & {
    root: string;
    sweep: (folder: string) => Promise<string[]>;
    willBeSwept: boolean;
  },
  report: Report,
): Promise<void> {
  const { root, projects, gone, sweep, willBeSwept } = given;
  const known = new Set([...projects.keys()].map(repositoryPath));
  const removed = new Map([...gone].map((id) => [repositoryPath(id), id]));
  const below = async (path: string) => {
    const entries = await readdir(join(root, path), { withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${path}/${name}`);
  };
  for (const first of await below('@hashed'))
    for (const second of await below(first)) {
      for (const name of await sweep(second))
        report.note(`${second}/${name} mended: it was half a repository`);
      for (const path of await below(second)) {
        if (known.has(path)) continue;
        const id = removed.get(path);
        if (/\.git\.(new|gone)-/.test(path))
          reportMended(report, willBeSwept, `${path} is half a repository`);
        // No problem: an interrupted creation, or a deletion whose policy has not run yet.
        else
          report.note(id === undefined ? `${path} has no project` : `${path} is of project ${id}, now gone`);
      }
    }
}
