import { followLines } from '@forgelog/contracts/repo/diff-lines/diff-line.operations.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { oneOf } from '@forgelog/eventing/query.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { shownSuggestions } from '../suggestions/shown-suggestions.ts';
import type { ShownSuggestion } from '../suggestions/suggestion.view.ts';
import type { DiffCommits, Discussed, DiscussedInProject, DiscussedKind } from '../targets/target.ts';
import { type NoteRow, type PositionRow, positions } from './discussions.collection.ts';

export type ShownNote = NoteRow & { position?: PositionRow; suggestions?: readonly ShownSuggestion[] };

type Ports = Pick<ServicePorts, 'readStore' | 'operations'> & ServicePorts;

/**
 * Notes with the positions of their discussions. What was said of an older diff stays at its line: it is shown where
 * that line is now. Where the line is gone or changed, the position is outdated, and is shown as it began.
 */
export function shownPositions(ports: Ports, kind: DiscussedKind) {
  return async (
    target: Discussed,
    notes: readonly NoteRow[],
    principal: Principal | null,
  ): Promise<ShownNote[]> => {
    const ids = [...new Set(notes.filter(({ onDiff }) => onDiff).map(({ discussionId }) => discussionId))];
    if (ids.length === 0 || target.type === 'Epic') return [...notes];
    const where = oneOf('discussionId', ids);
    const rows = await ports.readStore.find(positions, { where, limit: ids.length });
    const diff = await kind.threads?.diffOf(ports, target, principal);
    const shown = diff ? await moved(ports, rows, { target, diff, principal }) : rows;
    const places = new Map(
      shown.map((now, at) => [
        now.discussionId,
        { began: rows[at]!, now, isNewest: now.headSha === diff?.headSha },
      ]),
    );
    const problem = async () => (await kind.threads?.suggestionProblem(ports, target)) ?? null;
    const asked = { target, places, problem };
    const suggestions = await shownSuggestions(ports, notes, asked, principal);
    return notes.map((note) => {
      const position = places.get(note.discussionId)?.now;
      return position ? { ...note, position, suggestions: suggestions.get(note.id) ?? [] } : note;
    });
  };
}

interface Newest {
  target: DiscussedInProject;
  diff: DiffCommits;
  principal: Principal | null;
}

async function moved(
  ports: Ports,
  rows: readonly PositionRow[],
  newest: Newest,
): Promise<readonly PositionRow[]> {
  const { diff } = newest;
  const old = rows.filter(
    (row) => row.kind === 'text' && (row.headSha !== diff.headSha || row.baseSha !== diff.baseSha),
  );
  if (old.length === 0) return rows;
  const result = new Map<string, PositionRow>();
  for (const [commits, within] of Map.groupBy(old, ({ baseSha, headSha }) => `${baseSha} ${headSha}`)) {
    const [baseSha, headSha] = commits.split(' ') as [string, string];
    const lines = (side: 'old' | 'new') =>
      follow(ports, within, newest, side === 'old' ? [baseSha, diff.baseSha] : [headSha, diff.headSha], side);
    const [olds, news] = await Promise.all([lines('old'), lines('new')]);
    within.forEach((row, index) => {
      const at = { oldLine: olds[index], newLine: news[index] };
      if (at.oldLine === null || at.newLine === null) return;
      result.set(row.discussionId, {
        ...row,
        ...diff,
        ...(at.oldLine && { oldLine: at.oldLine.line, oldPath: at.oldLine.path }),
        ...(at.newLine && { newLine: at.newLine.line, newPath: at.newLine.path }),
        // Its ends are told for the diff that they were chosen in.
        hasRange: row.hasRange && isAtRest(row, at),
      });
    });
  }
  return rows.map((row) => result.get(row.discussionId) ?? row);
}

type Followed = { path: string; line: number } | null | undefined;

/** Where each row's line of one side is now: null where it is gone, undefined where the row has none on that side. */
async function follow(
  { operations }: Ports,
  rows: readonly PositionRow[],
  { target: { projectId }, principal }: Newest,
  [fromSha, toSha]: readonly [string, string],
  side: 'old' | 'new',
): Promise<Followed[]> {
  const lineOf = (row: PositionRow) => (side === 'old' ? row.oldLine : row.newLine);
  const asked = rows.filter((row) => lineOf(row) !== null);
  if (asked.length === 0) return rows.map(() => undefined);
  const lines = asked.map((row) => ({
    path: side === 'old' ? row.oldPath : row.newPath,
    line: lineOf(row)!,
  }));
  const answer = await operations.call(followLines, { projectId, fromSha, toSha, lines }, { principal });
  const found = 'refused' in answer ? lines.map(() => null) : answer.lines;
  const byRow = new Map(asked.map((row, index) => [row, found[index] ?? null]));
  return rows.map((row) => (byRow.has(row) ? byRow.get(row) : undefined));
}

const isAtRest = (row: PositionRow, at: { oldLine: Followed; newLine: Followed }) =>
  (at.oldLine?.line ?? row.oldLine) === row.oldLine && (at.newLine?.line ?? row.newLine) === row.newLine;
