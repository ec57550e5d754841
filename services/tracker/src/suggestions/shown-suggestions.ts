import type { RequestOf } from '@forgelog/contracts/operation.ts';
import { LINE_BOUNDS, readLines } from '@forgelog/contracts/repo/diff-lines/suggested-line.operations.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { asc, oneOf } from '@forgelog/eventing/query.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { NoteRow, PositionRow } from '../discussions/discussions.collection.ts';
import type { DiscussedInProject } from '../targets/target.ts';
import type { ShownSuggestion } from './suggestion.view.ts';
import { MOST_BLOCKS, maySuggest } from './suggestion-blocks.ts';
import { type SuggestionRow, suggestions } from './suggestions.collection.ts';

/** Where the discussion of a note began, and where it is now: in the newest diff, unless its line has gone. */
interface Place {
  began: PositionRow;
  now: PositionRow;
  isNewest: boolean;
}

interface Asked {
  target: DiscussedInProject;
  /** By discussion. */
  places: ReadonlyMap<string, Place>;
  /** Why nothing on the target can be applied; null where it can be. */
  problem: () => Promise<string | null>;
}

type Ports = Pick<ServicePorts, 'readStore' | 'operations'>;
type Range = RequestOf<typeof readLines>['ranges'][number];

export const OUTDATED = {
  line: "Can't apply as this line was changed in a more recent version.",
  lines: "Can't apply as these lines were changed in a more recent version.",
};

/** What notes on a diff suggest, by the ids of the notes. A suggestion moves with the line that its note is on. */
export async function shownSuggestions(
  { readStore, operations }: Ports,
  notes: readonly NoteRow[],
  { target, places, problem }: Asked,
  principal: Principal | null,
): Promise<ReadonlyMap<number, ShownSuggestion[]>> {
  const noteIds = notes.filter(({ onDiff, text }) => onDiff && maySuggest(text)).map(({ id }) => id);
  if (noteIds.length === 0) return new Map();
  const rows = await readStore.find(suggestions, {
    where: oneOf('noteId', noteIds),
    sort: [asc('noteId'), asc('id')],
    limit: noteIds.length * MOST_BLOCKS,
  });
  if (rows.length === 0) return new Map();
  const why = await problem();
  const placed = rows.flatMap((row) => {
    const place = places.get(row.discussionId);
    return place
      ? [{ row, place, ranges: [rangeOf(row, place.began), rangeOf(row, place.now)] as const }]
      : [];
  });
  const asked = placed.flatMap(({ ranges }) => ranges);
  const texts = await textsOf(operations, target.projectId, asked, principal);
  const shown = placed.map(({ row, place, ranges: [, now] }, at): ShownSuggestion => {
    const [before, present] = [texts[2 * at] ?? null, texts[2 * at + 1] ?? null];
    const { id, noteId, content: toContent, applied } = row;
    const isOutdated = !place.isNewest || before === null || before !== present;
    return {
      ...{ id, noteId, toContent, applied, path: now.path, fromLine: now.from, toLine: now.to },
      fromContent: before ?? '',
      problem: problemOf({ ...row, problem: why, isOutdated, isSame: before === toContent }),
    };
  });
  return Map.groupBy(shown, ({ noteId }) => noteId);
}

function rangeOf(
  { above, below }: SuggestionRow,
  { headSha: sha, newPath: path, newLine }: PositionRow,
): Range {
  // Only notes on a line of the new file have suggestions.
  const line = newLine ?? 1;
  return { sha, path, from: Math.max(1, line - above), to: line + below };
}

async function textsOf(
  operations: ServicePorts['operations'],
  projectId: number,
  ranges: readonly Range[],
  principal: Principal | null,
): Promise<(string | null)[]> {
  const texts: (string | null)[] = [];
  for (let from = 0; from < ranges.length; from += LINE_BOUNDS.ranges) {
    const some = ranges.slice(from, from + LINE_BOUNDS.ranges);
    const answer = await operations.call(readLines, { projectId, ranges: some }, { principal });
    texts.push(...('refused' in answer ? some.map(() => null) : answer.texts));
  }
  return texts;
}

interface Judged extends Pick<SuggestionRow, 'applied' | 'above' | 'below'> {
  problem: string | null;
  isOutdated: boolean;
  isSame: boolean;
}

/** The texts are those that clients of this API family know. */
function problemOf({ applied, above, below, problem, isOutdated, isSame }: Judged): string | null {
  if (applied) return "Can't apply this suggestion.";
  if (problem !== null) return problem;
  if (isOutdated) return above + below === 0 ? OUTDATED.line : OUTDATED.lines;
  return isSame ? 'This suggestion already matches its content.' : null;
}
