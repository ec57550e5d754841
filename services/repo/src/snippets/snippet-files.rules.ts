import { Rejection } from '@forgelog/contracts/errors.ts';
import { MOST_SNIPPET_BYTES, MOST_SNIPPET_FILES } from '@forgelog/contracts/repo/snippets/snippet.api.ts';
import { isSafePath, normalizePath } from '@forgelog/git/trees/tree-path.ts';

/** Texts by path, in the order in which they are shown. */
export type SnippetFiles = ReadonlyMap<string, string>;

/** A change as callers send it. */
export interface FileAction {
  action: 'create' | 'update' | 'delete' | 'move';
  file_path?: string | undefined;
  previous_path?: string | undefined;
  content?: string | undefined;
}

/** A change as the event tells it. */
export interface FileChange {
  action: FileAction['action'];
  path: string;
  previousPath: string | null;
  content: string | null;
}

const refused = (reason: string) => new Rejection('bad_request', { reason });

/** The changes, held against the files that are there. @throws 400 with the first that does not fit */
export function changesOf(actions: readonly FileAction[], files: SnippetFiles): FileChange[] {
  const now = new Map(files);
  const changes = actions.map((action) => {
    const change = changeOf(action, now);
    apply(now, change);
    return change;
  });
  requireBounds(now);
  return changes.filter((change) => change.action !== 'update' || files.get(change.path) !== change.content);
}

export function filesAfter(files: SnippetFiles, changes: readonly FileChange[]): SnippetFiles {
  const now = new Map(files);
  for (const change of changes) apply(now, change);
  return now;
}

function changeOf({ action, ...given }: FileAction, files: SnippetFiles): FileChange {
  const path =
    given.file_path === undefined || given.file_path === '' ? freePath(files) : safe(given.file_path);
  const there = files.has(path);
  const content = given.content ?? null;
  switch (action) {
    case 'create':
      if (there) throw refused(`A file with this name already exists: ${path}`);
      if (content === null || content === '') throw refused(`content of ${path} is empty`);
      return { action, path, previousPath: null, content };
    case 'update':
      if (!there) throw missing(path);
      if (content === null || content === '') throw refused(`content of ${path} is empty`);
      return { action, path, previousPath: null, content };
    case 'delete':
      if (!there) throw missing(path);
      return { action, path, previousPath: null, content: null };
    case 'move': {
      const previousPath = safe(given.previous_path ?? '');
      if (!files.has(previousPath)) throw missing(previousPath);
      if (there) throw refused(`A file with this name already exists: ${path}`);
      return { action, path, previousPath, content };
    }
    default:
      return action satisfies never;
  }
}

const missing = (path: string) => refused(`A file with this name doesn't exist: ${path}`);

function safe(given: string): string {
  const path = normalizePath(given);
  if (!isSafePath(path)) throw refused(`file_path is invalid: ${given.slice(0, 255)}`);
  return path;
}

/** The name of a new file without one, as users of this API know it. */
function freePath(files: SnippetFiles): string {
  for (let number = 1; ; number += 1) {
    const path = `snippetfile${number}.txt`;
    if (!files.has(path)) return path;
  }
}

function apply(files: Map<string, string>, { action, path, previousPath, content }: FileChange): void {
  switch (action) {
    case 'create':
    case 'update':
      files.set(path, content!);
      return;
    case 'delete':
      files.delete(path);
      return;
    case 'move':
      files.set(path, content ?? files.get(previousPath!)!);
      files.delete(previousPath!);
      return;
    default:
      action satisfies never;
  }
}

function requireBounds(files: SnippetFiles): void {
  if (files.size === 0) throw refused('A snippet has at least one file');
  if (files.size > MOST_SNIPPET_FILES) throw refused(`A snippet has ${MOST_SNIPPET_FILES} files at most`);
  for (const path of files.keys())
    if ([...files.keys()].some((other) => other.startsWith(`${path}/`)))
      throw refused(`${path} is a file and a folder`);
  const bytes = [...files.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes > MOST_SNIPPET_BYTES) throw refused(`A snippet has ${MOST_SNIPPET_BYTES} bytes at most`);
}
