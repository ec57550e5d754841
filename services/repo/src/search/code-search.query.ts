import { Rejection } from '@forgelog/contracts/errors.ts';
import { GitTimeoutError } from '@forgelog/git/errors.ts';
import type { Repository } from '@forgelog/git/git.ts';
import { isOid } from '@forgelog/git/objects/object-id.ts';
import { compareBytes } from '@forgelog/git/text.ts';
import { parseTree, type TreeFile } from '@forgelog/git/trees/tree-listing.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { NextPage } from '@forgelog/service-kit/answer.ts';
import type { PageRequest } from '@forgelog/service-kit/pagination.ts';
import { type CodeIndex, LARGEST_INDEXED, textOf } from '../code-index/code-index.ts';
import { isIndexed } from '../code-index/grams.ts';
import type { ShownCommit } from '../commits/commit.view.ts';
import { pageOfCommits, partOf } from '../shared/page-of-commits.ts';
import { findRevision } from '../shared/revisions.ts';
import { type CodeQuery, codeQuery } from './code-query.rules.ts';
import { type Excerpt, excerptOf } from './excerpt.ts';
import type { FoundBlob } from './searched.view.ts';

interface Asked {
  repository: Repository;
  grant: ProjectGrant;
  /** null: the default branch. */
  ref: string | null;
  search: string;
  page: PageRequest;
  signal: AbortSignal;
  codeIndex: CodeIndex;
}

/** Files that are read at once, and milliseconds after which no more are. */
const AT_ONCE = 16;
export const CONFIRM_MS = 8000;
/** What git shortens ids of commits to, at the least. */
const SHORT_ID = /^[0-9a-f]{7,40}$/i;

/** The commits to start at; none in an empty repository. @throws not_found where the named one does not exist */
async function startOf({ repository, grant: { project }, ref }: Asked): Promise<string[]> {
  const revision = await findRevision(repository, project, ref ?? undefined);
  if (revision) return [revision.oid];
  if (ref === null) return [];
  throw new Rejection('not_found', { what: 'Reference' });
}

/** Files of one commit, those whose path has the text before those whose content has it. */
export async function findBlobs(asked: Asked): Promise<{ items: FoundBlob[]; next: NextPage }> {
  const { repository, grant, ref, search, page } = asked;
  const { text } = codeQuery(search);
  const named = { projectId: grant.project.id, ref: ref ?? grant.project.defaultBranch ?? 'HEAD' };
  return pageOfCommits(repository, page, {
    name: ['blobs', search, ref],
    commits: () => startOf(asked),
    async read([oid], offset) {
      if (oid === undefined) return { items: [], total: 0, more: false };
      const { files, all } = await filesOf(asked, oid, offset + page.size + 1);
      const found = partOf(files, offset, page.size);
      const shown = found.items.map(async ({ path, oid: blob }) => ({
        ...{ ...named, path, oid: blob },
        ...excerptAround(await textOf(repository, blob), text),
      }));
      return { ...found, total: all ? found.total : null, items: await Promise.all(shown) };
    },
  });
}

/**
 * The first files that have the text, up to so many: those by whose path it is found come first. By the index where that has
 * the commit, else by reading the tree.
 */
async function filesOf(
  { repository, grant, search, signal, codeIndex }: Asked,
  oid: string,
  most: number,
): Promise<{ files: readonly TreeFile[]; all: boolean }> {
  const query = codeQuery(search);
  const likely =
    query.text === '' || isIndexed(query.text) ? await codeIndex.find(grant.project.id, oid, search) : null;
  if (likely) {
    const bounds = { most, end: performance.now() + CONFIRM_MS };
    return confirmed(likely.toSorted(byPath), query, ({ oid }) => textOf(repository, oid), bounds);
  }
  const files = [...parseTree(await repository.treeListing(oid))].filter(({ path }) => query.accepts(path));
  if (query.text === '' || files.length === 0) return { files, all: true };
  const holding = new Set(await repository.filesWith(oid, query.text, signal));
  const [named, others] = byName(files, query);
  const held = others.filter(({ path }) => holding.has(path));
  // The same files as in the index.
  const infos = await Promise.all(held.map((file) => repository.objects.info(file.oid)));
  const small = held.filter((_, at) => (infos[at]?.size ?? 0) <= LARGEST_INDEXED);
  return { files: [...named, ...small], all: true };
}

const byPath = (a: TreeFile, b: TreeFile) => compareBytes(a.path, b.path);

function byName<File extends TreeFile>(files: readonly File[], { text }: CodeQuery): [File[], File[]] {
  const isNamed = ({ path }: File) => path.toLowerCase().includes(text);
  return [files.filter(isNamed), files.filter((file) => !isNamed(file))];
}

/** The first that have the text of files that may have it. Names are known; other files are read. */
export async function confirmed<File extends TreeFile>(
  likely: readonly File[],
  query: CodeQuery,
  textOfFile: (file: File) => Promise<string | null>,
  { most, end }: { most: number; end: number },
): Promise<{ files: File[]; all: boolean }> {
  const [files, others] = byName(likely, query);
  for (let at = 0; at < others.length; at += AT_ONCE) {
    if (files.length >= most) return { files, all: false };
    if (performance.now() > end) throw new GitTimeoutError();
    const some = others.slice(at, at + AT_ONCE);
    const texts = await Promise.all(some.map(textOfFile));
    files.push(...some.filter((_, index) => hasLine(texts[index] ?? null, query.text)));
  }
  return { files, all: true };
}

/** No line has a text of several. */
const hasLine = (content: string | null, text: string) =>
  content !== null && !text.includes('\n') && content.toLowerCase().includes(text);

export function excerptAround(content: string | null, text: string): Excerpt {
  if (content === null) return { startline: 1, data: '' };
  return excerptOf(content, (line) => text !== '' && line.toLowerCase().includes(text));
}

/** Commits whose message has the text, the newest first; before them the one that the text is the id of. */
export async function findCommits(asked: Asked): Promise<{ items: ShownCommit[]; next: NextPage }> {
  const { repository, grant, ref, search, page } = asked;
  const message = search.trim();
  const projectId = grant.project.id;
  const { items, next } = await pageOfCommits(repository, page, {
    name: ['commits', search, ref],
    commits: () => startOf(asked),
    async read([oid], offset) {
      if (oid === undefined) return { items: [], total: 0, more: false };
      const named = await commitOfId(repository, oid, message);
      const before = named && offset === 0 ? [named] : [];
      const log = await repository.commits({
        range: { include: [oid], exclude: [] },
        message,
        offset: named ? Math.max(0, offset - 1) : offset,
        limit: page.size - before.length,
      });
      const more = log?.hasMore ?? false;
      return { items: [...before, ...(log?.commits ?? [])], total: null, more };
    },
  });
  return { items: items.map((commit) => ({ ...commit, projectId })), next };
}

/** The commit that an id names, if the history has it. */
async function commitOfId(repository: Repository, from: string, id: string) {
  if (!SHORT_ID.test(id)) return undefined;
  const oid = (await repository.resolveRevision(id.toLowerCase()))?.oid;
  if (!oid || !isOid(oid) || !oid.startsWith(id.toLowerCase())) return undefined;
  return (await repository.isAncestor(oid, from)) ? repository.commit(oid) : undefined;
}
