import type { Position } from '@forgelog/contracts/tracker/discussions/position.fields.ts';
import { noteableKey, noteableOf } from '../targets/target-ref.ts';
import type { PositionRow } from './discussions.collection.ts';

type Positioned = Parameters<typeof noteableOf>[0] & { discussionId: string };

export function positionRow(data: Positioned, position: Position): PositionRow {
  // What has a diff is in a project.
  const { discussionId, projectId } = data;
  const { lineRange, point, lineCode: _, ...rest } = position;
  const { start, end } = lineRange ?? {};
  return {
    discussionId,
    noteable: noteableKey(noteableOf(data)),
    projectId: projectId!,
    ...rest,
    hasRange: lineRange !== null,
    startLineCode: start?.lineCode ?? null,
    startKind: start?.kind ?? null,
    startOldLine: start?.oldLine ?? null,
    startNewLine: start?.newLine ?? null,
    endLineCode: end?.lineCode ?? null,
    endKind: end?.kind ?? null,
    endOldLine: end?.oldLine ?? null,
    endNewLine: end?.newLine ?? null,
    x: point?.x ?? null,
    y: point?.y ?? null,
    width: point?.width ?? null,
    height: point?.height ?? null,
  };
}
