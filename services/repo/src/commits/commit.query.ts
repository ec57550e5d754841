import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Repository } from '@forgelog/git/git.ts';
import type { CommitPage, LoggedCommit, LogOptions, Range } from '@forgelog/git/history/commit-log.ts';
import type { ProjectSummary } from '@forgelog/service-kit/access.ts';
import type { NextPage } from '@forgelog/service-kit/answer.ts';
import { invalidCursor, orderNamed, valuesAfter } from '@forgelog/service-kit/cursor.ts';
import type { PageRequest } from '@forgelog/service-kit/pagination.ts';
import { pageOfCommits } from '../shared/page-of-commits.ts';
import { findRevision } from '../shared/revisions.ts';

/**
 * Resolves a branch, tag, commit or range to commit ids, with `^` before excluded ones. Empty in an empty repository.
 * @throws 404 if a name does not exist
 */
async function startOf(
  repository: Repository,
  project: ProjectSummary,
  name: string | undefined,
): Promise<string[]> {
  const range = await rangeNamed(repository, project, name);
  if (range) return [...range.include, ...range.exclude.map((oid) => `^${oid}`)];
  if ((await repository.listRefs('refs/heads/')).length === 0) return [];
  throw new Rejection('not_found', { what: 'Commit' });
}

async function rangeNamed(repository: Repository, project: ProjectSummary, name: string | undefined) {
  if (name?.includes('..')) return repository.resolveRange(name);
  const revision = await findRevision(repository, project, name);
  return revision && { include: [revision.oid], exclude: [] };
}

const rangeOf = (commits: readonly string[]): Range => ({
  include: commits.filter((oid) => !oid.startsWith('^')),
  exclude: commits.filter((oid) => oid.startsWith('^')).map((oid) => oid.slice(1)),
});

interface Page {
  items: LoggedCommit[];
  next: NextPage;
}

/** Pages the commits of a branch, tag, commit or range. @throws 404 if it does not exist */
export const pageOfHistory = (
  repository: Repository,
  page: PageRequest,
  options: LogOptions,
  start: { project: ProjectSummary; name: string | undefined },
): Promise<Page> =>
  pageOf(repository, page, options, () => startOf(repository, start.project, start.name), start.name);

/** The most branches and tags that a cursor holds: 2.7 KB, where proxies allow 4 KB for all headers. */
const MOST_TIPS = 50;

/**
 * Pages the commits of all branches and tags. With too many to hold in a cursor, a page continues after the last commit
 * of the one before.
 * @throws 400 if that commit is no longer in any branch or tag
 */
export async function pageOfAll(
  repository: Repository,
  page: PageRequest,
  options: LogOptions,
): Promise<Page> {
  if (!page.keyset) return numbered(await repository.commits({ ...options, ...partOf(page), all: true }));
  const order = orderNamed('after the last', namesOf(options));
  const after = page.keyset.after;
  const tips = after ? undefined : await tipsOf(repository);
  if (after ? after.order !== order : tips)
    return pageOf(repository, page, options, async () => tips ?? [], { all: true });
  const [oid, offset = 0] = (valuesAfter(page, order) ?? []) as [oid?: string, offset?: number];
  const from = { ...partOf(page), offset, after: oid };
  const log = await repository.commits({ ...options, ...from, all: true });
  if (!log && oid) throw invalidCursor(page.keyset.parameter);
  const { commits: items, hasMore } = log ?? NOTHING;
  const values = [items.at(-1)?.id ?? '', offset + items.length];
  return { items, next: { by: 'keyset', after: hasMore ? { order, values } : null } };
}

function pageOf(
  repository: Repository,
  page: PageRequest,
  options: LogOptions,
  commits: () => Promise<string[]>,
  name: unknown,
): Promise<Page> {
  return pageOfCommits(repository, page, {
    name: [name, namesOf(options)],
    commits,
    async read(oids, offset) {
      const range = rangeOf(oids);
      if (range.include.length === 0) return { items: [], total: null, more: false };
      const log = await repository.commits({ ...options, ...partOf(page), offset, range });
      return { items: log?.commits ?? [], total: null, more: log?.hasMore ?? false };
    },
  });
}

const NOTHING: CommitPage = { commits: [], hasMore: false };

const partOf = ({ offset, size }: PageRequest) => ({ offset, limit: size });

const numbered = ({ commits: items, hasMore: more } = NOTHING): Page => ({
  items,
  next: { by: 'offset', total: null, more },
});

/** The options that select and order a list. */
const namesOf = ({ withStats: _, ...list }: LogOptions) => list;

/** The tips of all branches and tags in git's order; undefined if there are too many. */
async function tipsOf(repository: Repository): Promise<string[] | undefined> {
  const refs = [...(await repository.listRefs('refs/heads/')), ...(await repository.listRefs('refs/tags/'))];
  const oids = new Set(refs.map(({ oid }) => oid));
  if (oids.size > MOST_TIPS) return undefined;
  const commits = await Promise.all([...oids].map((oid) => repository.peelToCommit(oid)));
  return [...new Set(commits.filter((oid) => oid !== undefined))];
}
