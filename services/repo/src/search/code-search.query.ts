import { Rejection } from '@forgelog/contracts/errors.ts';
import { ObjectTooLargeError } from '@forgelog/git/errors.ts';
import type { Repository } from '@forgelog/git/git.ts';
import { isOid } from '@forgelog/git/objects/object-id.ts';
import { decodeText } from '@forgelog/git/text.ts';
import type { TreeFile } from '@forgelog/git/trees/grep.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { NextPage } from '@forgelog/service-kit/answer.ts';
import type { PageRequest } from '@forgelog/service-kit/pagination.ts';
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
}

/** Bytes of a file of which lines are shown. */
const LARGEST_SHOWN = 8 * 1024 * 1024;
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
  const { repository, grant, ref, search, page, signal } = asked;
  const query = codeQuery(search);
  const named = { projectId: grant.project.id, ref: ref ?? grant.project.defaultBranch ?? 'HEAD' };
  return pageOfCommits(repository, page, {
    name: ['blobs', search, ref],
    commits: () => startOf(asked),
    async read([oid], offset) {
      if (oid === undefined) return { items: [], total: 0, more: false };
      const found = partOf(await filesOf(repository, oid, query, signal), offset, page.size);
      const shown = found.items.map(async ({ path, oid: blob }) => ({
        ...{ ...named, path, oid: blob },
        ...(await excerptIn(repository, blob, query.text)),
      }));
      return { ...found, items: await Promise.all(shown) };
    },
  });
}

async function filesOf(
  repository: Repository,
  oid: string,
  query: CodeQuery,
  signal: AbortSignal,
): Promise<TreeFile[]> {
  const files = (await repository.files(oid)).filter(({ path }) => query.accepts(path));
  if (query.text === '' || files.length === 0) return files;
  const holding = new Set(await repository.filesWith(oid, query.text, signal));
  const isNamed = ({ path }: TreeFile) => path.toLowerCase().includes(query.text);
  return [...files.filter(isNamed), ...files.filter((file) => holding.has(file.path) && !isNamed(file))];
}

async function excerptIn(repository: Repository, oid: string, text: string): Promise<Excerpt> {
  const content = await repository.objects.read(oid, LARGEST_SHOWN).catch((error: unknown) => {
    if (error instanceof ObjectTooLargeError) return undefined;
    throw error;
  });
  if (!content || isBinary(content.content)) return { startline: 1, data: '' };
  return excerptOf(decodeText(content.content), (line) => text !== '' && line.toLowerCase().includes(text));
}

/** As git tells it, which looks so far. */
const isBinary = (content: Buffer) => content.subarray(0, 8000).includes(0);

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
