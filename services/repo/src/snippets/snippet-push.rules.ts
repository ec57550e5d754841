import { Rejection } from '@forgelog/contracts/errors.ts';
import { MOST_SNIPPET_BYTES, MOST_SNIPPET_FILES } from '@forgelog/contracts/repo/snippets/snippet.api.ts';
import type { Repository } from '@forgelog/git/git.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import type { RefUpdate } from '@forgelog/git/refs/ref-transaction.ts';
import type { RepositoryReads } from '@forgelog/git/repository-reads.ts';
import { changesOf, type FileAction, filesAfter, type SnippetFiles } from './snippet-files.rules.ts';
import { SNIPPET_REF } from './snippet-repositories.ts';

/** A pushed commit, with what it changes. */
export interface PushedCommit {
  /** As git has it. */
  pushed: string;
  actions: readonly FileAction[];
}

const MOST_COMMITS = 100;
const MOST_COMMIT_BYTES = 65_536;
/** A tree with more, folders included, is that of no snippet. */
const MOST_ENTRIES = 1000;
const FILE = '100644';

/** A snippet cannot be what was pushed: the message says why, and what to do. */
export class PushRefused extends Error {}

/** The commits of a push, the first one first. @throws PushRefused */
export async function pushedCommits(
  updates: readonly RefUpdate[],
  { reads, files, repository }: { reads: RepositoryReads; files: SnippetFiles; repository: Repository },
): Promise<PushedCommit[]> {
  const [update] = updates;
  if (updates.length !== 1 || update!.ref !== SNIPPET_REF)
    throw new PushRefused(`A snippet has one branch and no tags: push to ${SNIPPET_REF} alone.`);
  const { oldOid, newOid } = update!;
  if (newOid === ZERO_OID) throw new PushRefused('The branch of a snippet cannot be deleted.');
  if (!(await reads.isAncestor(oldOid, newOid)))
    throw new PushRefused('The history of a snippet is kept: fetch it, and push what you add to it.');
  const added = await reads.newCommits([newOid], MOST_COMMITS + 1);
  if (added.length > MOST_COMMITS)
    throw new PushRefused(`A push to a snippet has ${MOST_COMMITS} commits at most.`);

  const commits: PushedCommit[] = [];
  let parent = oldOid;
  let present = files;
  for (const oid of added.toReversed()) {
    const pushed = await commitText(reads, oid);
    const parents = [...pushed.split('\n\n', 1)[0]!.matchAll(/^parent ([0-9a-f]{40})$/gm)];
    if (parents.length !== 1 || parents[0]![1] !== parent)
      throw new PushRefused('A snippet takes no merge commits: rebase onto its branch, and push again.');
    const wanted = await filesOf(reads, oid);
    const actions = actionsBetween(present, wanted);
    present = changed(present, actions);
    const contents = new Map([...present].map(([path, text]) => [path, Buffer.from(text)]));
    if (!pushed.startsWith(`tree ${await repository.treeOfFiles(contents)}\n`))
      throw new PushRefused(`The files of ${oid.slice(0, 8)} are in a form that a snippet cannot have.`);
    commits.push({ pushed, actions });
    parent = oid;
  }
  return commits;
}

async function commitText(reads: RepositoryReads, oid: string): Promise<string> {
  const { size } = (await reads.objects.info(oid))!;
  if (size > MOST_COMMIT_BYTES) throw new PushRefused(`The commit ${oid.slice(0, 8)} is too long.`);
  const text = textOf(await reads.objects.need(oid, 'commit'));
  if (text === null) throw new PushRefused(`The message of ${oid.slice(0, 8)} is not UTF-8.`);
  return text;
}

async function filesOf(reads: RepositoryReads, commit: string): Promise<SnippetFiles> {
  const listing = await reads.tree(commit, { recursive: true, limit: MOST_ENTRIES });
  const blobs = (listing?.entries ?? []).filter(({ type }) => type !== 'tree');
  if (!listing || listing.truncated || listing.total > MOST_ENTRIES || blobs.length > MOST_SNIPPET_FILES)
    throw new PushRefused(`A snippet has ${MOST_SNIPPET_FILES} files at most.`);
  const files = new Map<string, string>();
  let bytes = 0;
  for (const { path, oid, mode } of blobs) {
    if (mode !== FILE) throw new PushRefused(notPlain(path, mode));
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

function notPlain(path: string, mode: string): string {
  if (mode === '160000') return `${path} is a submodule, and a snippet has plain files only.`;
  if (mode === '120000') return `${path} is a symbolic link, and a snippet has plain files only.`;
  return `${path} is executable, and a snippet has plain files only: git update-index --chmod=-x ${path}`;
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

/** null for bytes that are no text. */
function textOf(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
