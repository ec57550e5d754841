import { findDiffLine, followLines } from '@forgelog/contracts/repo/diff-lines/diff-line.operations.ts';
import { ObjectNotFoundError, ObjectTooLargeError } from '@forgelog/git/errors.ts';
import type { DiffEntry } from '@forgelog/git/history/diff.ts';
import { LineMap } from '@forgelog/git/history/line-map.ts';
import type { RepositoryReads } from '@forgelog/git/repository-reads.ts';
import { implementOperation, type OperationImplementation } from '@forgelog/service-kit/operations.ts';
import type { RepoPorts } from '../ports.ts';
import { readableRepositories } from '../shared/readable-repository.ts';
import { LARGEST_FILE } from './suggested-commit.commands.ts';

/** What comments on lines need of a repository. */
export function diffLineOperations(ports: RepoPorts): OperationImplementation[] {
  const readable = readableRepositories(ports);

  return [
    implementOperation(findDiffLine, ({ request, principal }) =>
      readable.answer(request.projectId, principal, async ({ repository }) => {
        const { fromSha, toSha, oldPath, newPath } = request;
        const entries = await entriesOf(repository, fromSha, toSha);
        if (!entries) return { refused: 'no commit' as const };
        const entry = entryOf(entries, oldPath, newPath);
        if (!entry) return { refused: 'no file' as const };
        const line = await lineOf(repository, entry, request);
        return line ?? { refused: 'no line' as const };
      }),
    ),

    implementOperation(followLines, ({ request, principal }) =>
      readable.answer(request.projectId, principal, async ({ repository }) => {
        const { fromSha, toSha, lines } = request;
        if (fromSha === toSha) return { lines };
        const entries = await entriesOf(repository, fromSha, toSha);
        const byOldPath = new Map(entries?.map((entry) => [entry.oldPath, entry]));
        const maps = new Map<DiffEntry, LineMap>();
        return {
          lines: lines.map(({ path, line }) => {
            if (!entries) return null;
            const entry = byOldPath.get(path);
            if (!entry) return { path, line };
            if (entry.deletedFile || !isText(entry)) return null;
            const map = maps.get(entry) ?? new LineMap(entry.diff);
            maps.set(entry, map);
            const moved = map.toNew(line);
            return moved === undefined ? null : { path: entry.newPath, line: moved };
          }),
        };
      }),
    ),
  ];
}

/** A file that was renamed may be asked for by either name alone: both paths are that name then. */
const entryOf = (entries: readonly DiffEntry[], oldPath: string, newPath: string): DiffEntry | undefined =>
  entries.find((one) => one.newPath === newPath && one.oldPath === oldPath) ??
  (oldPath === newPath
    ? (entries.find((one) => one.newPath === newPath) ?? entries.find((one) => one.oldPath === oldPath))
    : undefined);

/** undefined where a commit is missing. */
async function entriesOf(repository: RepositoryReads, fromSha: string | null, toSha: string) {
  try {
    return (await repository.diff(fromSha ?? undefined, toSha)).entries;
  } catch (error) {
    if (error instanceof ObjectNotFoundError) return undefined;
    throw error;
  }
}

/** A diff that is empty because of a limit tells nothing of lines. An empty one of a renamed file says that all stay. */
const isText = ({ tooLarge, diff }: DiffEntry) => !tooLarge && !diff.startsWith('Binary files ');

interface Asked {
  fromSha: string | null;
  toSha: string;
  oldLine: number | null;
  newLine: number | null;
}

async function lineOf(
  repository: RepositoryReads,
  entry: DiffEntry,
  { fromSha, toSha, oldLine, newLine }: Asked,
) {
  if (!isText(entry)) return undefined;
  const found = new LineMap(entry.diff).lineAt(oldLine, newLine);
  if (!found) return undefined;
  const { oldPath, newPath } = entry;
  const isOld = found.kind === 'removed';
  const at = isOld
    ? { commit: fromSha, path: oldPath, line: found.oldLine }
    : { commit: toSha, path: newPath, line: found.newLine };
  const text = at.commit === null ? undefined : await textOf(repository, at.commit, at.path, at.line);
  return text === undefined ? undefined : { ...found, oldPath, newPath, text };
}

/** undefined beyond the end of the file: the map knows the lines of its hunks alone. */
async function textOf(repository: RepositoryReads, commit: string, path: string, line: number) {
  try {
    const file = await repository.file(commit, path, LARGEST_FILE);
    const lines = file?.content.toString('utf8').split('\n') ?? [];
    // What follows the last end of a line is no line.
    if (lines.at(-1) === '') lines.pop();
    return lines[line - 1];
  } catch (error) {
    if (error instanceof ObjectTooLargeError) return undefined;
    throw error;
  }
}
