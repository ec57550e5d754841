import { Rejection } from '@forgelog/contracts/errors.ts';
import { MOST_SNIPPET_BYTES, MOST_SNIPPET_FILES } from '@forgelog/contracts/repo/snippets/snippet.api.ts';
import type { Repository } from '@forgelog/git/git.ts';
import type { RefUpdate } from '@forgelog/git/refs/ref-transaction.ts';
import type { RepositoryReads } from '@forgelog/git/repository-reads.ts';
import { linearCommits, PushRefused, requirePlain, textOf } from '../shared/pushed-commits.ts';
import { changesOf, type FileAction, filesAfter, type SnippetFiles } from './snippet-files.rules.ts';
import { SNIPPET_REF } from './snippet-repositories.ts';

/** A pushed commit, with what it changes. */
export interface PushedCommit {
  /** As git has it. */
  pushed: string;
  actions: readonly FileAction[];
}

const WHAT = 'snippet';
const MOST_COMMITS = 100;
/** A tree with more, folders included, is that of no snippet. */
const MOST_ENTRIES = 1000;

/** The commits of a push, the first one first. @throws PushRefused */
export async function pushedCommits(
  updates: readonly RefUpdate[],
  { reads, files, repository }: { reads: RepositoryReads; files: SnippetFiles; repository: Repository },
): Promise<PushedCommit[]> {
  const commits: PushedCommit[] = [];
  let present = files;
  const added = await linearCommits(updates, reads, { what: WHAT, ref: SNIPPET_REF, most: MOST_COMMITS });
  for (const { oid, text: pushed } of added) {
    const wanted = await filesOf(reads, oid);
    const actions = actionsBetween(present, wanted);
    present = changed(present, actions);
    const contents = new Map([...present].map(([path, text]) => [path, Buffer.from(text)]));
    if (!pushed.startsWith(`tree ${await repository.treeOfFiles(contents)}\n`))
      throw new PushRefused(`The files of ${oid.slice(0, 8)} are in a form that a snippet cannot have.`);
    commits.push({ pushed, actions });
  }
  return commits;
}

async function filesOf(reads: RepositoryReads, commit: string): Promise<SnippetFiles> {
  const listing = await reads.tree(commit, { recursive: true, limit: MOST_ENTRIES });
  const blobs = (listing?.entries ?? []).filter(({ type }) => type !== 'tree');
  if (!listing || listing.truncated || listing.total > MOST_ENTRIES || blobs.length > MOST_SNIPPET_FILES)
    throw new PushRefused(`A snippet has ${MOST_SNIPPET_FILES} files at most.`);
  const files = new Map<string, string>();
  let bytes = 0;
  for (const { path, oid, mode } of blobs) {
    requirePlain(path, mode, WHAT);
    bytes += (await reads.objects.info(oid))?.size ?? 0;
    if (bytes > MOST_SNIPPET_BYTES)
      throw new PushRefused(`A snippet has ${MOST_SNIPPET_BYTES} bytes at most.`);
    const text = textOf(await reads.objects.need(oid, 'blob'));
    if (text === null)
      throw new PushRefused(`${path} is not a text in UTF-8, and a snippet has no other files.`);
    files.set(path, text);
  }
  return files;
}

/** What ends comes first, so that a folder may take the place of a file. */
function actionsBetween(present: SnippetFiles, wanted: SnippetFiles): FileAction[] {
  const ended = [...present.keys()].filter((path) => !wanted.has(path));
  return [
    ...ended.map((file_path) => ({ action: 'delete' as const, file_path })),
    ...[...wanted]
      .filter(([path, content]) => present.get(path) !== content)
      .map(([file_path, content]) => ({
        ...{ action: present.has(file_path) ? ('update' as const) : ('create' as const), file_path, content },
      })),
  ];
}

/** @throws PushRefused where a snippet cannot have these files */
function changed(files: SnippetFiles, actions: readonly FileAction[]): SnippetFiles {
  try {
    return filesAfter(files, changesOf(actions, files));
  } catch (error) {
    throw error instanceof Rejection ? new PushRefused(reasonOf(error)) : error;
  }
}

export const reasonOf = ({ details, code }: Rejection): string =>
  (details as { reason?: string } | undefined)?.reason ?? code;
