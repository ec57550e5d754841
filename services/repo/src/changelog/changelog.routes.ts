import { Rejection } from '@forgelog/contracts/errors.ts';
import { createChangelog, getChangelog } from '@forgelog/contracts/repo/repositories/repository.api.ts';
import type { Repository } from '@forgelog/git/git.ts';
import { decodeText } from '@forgelog/git/text.ts';
import { normalizePath } from '@forgelog/git/trees/tree-path.ts';
import type { ProjectSummary } from '@forgelog/service-kit/access.ts';
import { json, value } from '@forgelog/service-kit/answer.ts';
import type { Implementation } from '@forgelog/service-kit/service.ts';
import type { SemVer } from 'semver';
import { writeCommit } from '../commits/commit.commands.ts';
import type { RepoPorts } from '../ports.ts';
import { implementWithGit } from '../shared/git-refusals.ts';
import { findRevision, needRevision, refuseEmpty } from '../shared/revisions.ts';
import { ChangelogEntries, changelogSection, insertSection } from './changelog-section.ts';
import { changelogSectionJson } from './changelog-section.view.ts';
import { parseVersion, previousTag } from './semantic-version.ts';

const TAGS = 'refs/tags/';
const PAGE = 1000;
/** The most commits per section. */
const MAX_COMMITS = 100_000;
/** The largest changelog that can be extended, in bytes. */
const MAX_CHANGELOG = 32 * 1024 * 1024;

const failed = (reason: string) =>
  new Rejection('unprocessable', { message: `Failed to generate the changelog: ${reason}` });

interface Wanted {
  version: string;
  from?: string | undefined;
  date?: string | undefined;
  trailer: string;
}

export function changelogRoutes(ports: RepoPorts): Implementation[] {
  const view = changelogSectionJson.renderer(ports);

  /** Renders the section for the commits up to `to`. */
  async function sectionOf(wanted: Wanted, project: ProjectSummary, to: string) {
    const version = needVersion(wanted);
    const repository = ports.repositories.of(project.id);
    const from = await startOf(repository, project, wanted.from, version);
    const entries = await entriesBetween(repository, from, to, wanted.trailer);
    const date = (wanted.date ?? ports.clock().toISOString()).slice(0, 10);
    return { version, text: changelogSection(wanted.version, date, entries.all, project.fullPath) };
  }

  return [
    implementWithGit(getChangelog, async ({ params, project: { project } }) => {
      refuseEmpty(params, 'version', 'trailer');
      needVersion(params);
      const to = await needRevision(ports.repositories.of(project.id), project, params.to, 'Commit');
      return json(view.one(await sectionOf(params, project, to)));
    }),

    implementWithGit(createChangelog, async ({ params, project: grant, caller, metadata }) => {
      refuseEmpty(params, 'version', 'trailer', 'file');
      needVersion(params);
      const { project } = grant;
      const repository = ports.repositories.of(project.id);
      const branch = params.branch || project.defaultBranch;
      const tip = branch === null ? undefined : await repository.readRef(`refs/heads/${branch}`);
      if (branch === null || tip === undefined) throw new Rejection('not_found', { what: 'Branch' });
      const to = params.to ? await needRevision(repository, project, params.to, 'Commit') : tip;
      const { version, text } = await sectionOf(params, project, to);
      const path = normalizePath(params.file);
      const file = await repository.file(tip, path, MAX_CHANGELOG);
      const before = file ? decodeText(file.content) : '';
      const content = Buffer.from(insertSection(before, version, text));
      const last = file && (await repository.lastCommitOf(tip, path));
      await writeCommit(ports, {
        grant,
        caller,
        metadata,
        branch,
        message: params.message || `Add changelog for version ${params.version}`,
        actions: [{ action: file ? 'update' : 'create', path, content }],
        lastKnown: new Map(last ? [[path, last]] : []),
      });
      return value(200);
    }),
  ];
}

/** @throws 400 */
function needVersion(wanted: Wanted): SemVer {
  const version = parseVersion(wanted.version);
  if (!version) throw new Rejection('invalid_parameters', { problems: ['version is invalid'] });
  return version;
}

/** Finds the commit before the section. @throws 422 if none is given and no tag matches */
async function startOf(
  repository: Repository,
  project: ProjectSummary,
  from: string | undefined,
  version: SemVer,
): Promise<string> {
  if (from) return needRevision(repository, project, from, 'Commit');
  const names = (await repository.listRefs(TAGS)).map(({ ref }) => ref.slice(TAGS.length));
  const tag = previousTag(names, version);
  const revision =
    tag === undefined ? undefined : await findRevision(repository, project, `refs/tags/${tag}`);
  if (!revision) {
    throw failed('The commit start range is unspecified, and no previous tag could be found to use instead');
  }
  return revision.oid;
}

async function entriesBetween(
  repository: Repository,
  from: string,
  to: string,
  trailer: string,
): Promise<ChangelogEntries> {
  const entries = new ChangelogEntries(trailer);
  const range = { include: [to], exclude: [from] };
  for (let offset = 0; ; offset += PAGE) {
    if (offset >= MAX_COMMITS) throw failed(`The range holds more than ${MAX_COMMITS} commits`);
    const log = await repository.commits({ range, offset, limit: PAGE });
    entries.add(log?.commits ?? []);
    if (!log?.hasMore) return entries;
  }
}
