import type { Position } from '@forgelog/contracts/tracker/discussions/position.fields.ts';
import { type TargetRef, targetKey } from '../targets/target-ref.ts';
import type { PositionRow } from './discussions.collection.ts';

interface Positioned {
  discussionId: string;
  projectId: number;
  noteableType: TargetRef['type'];
  noteableId: number;
}

export function positionRow(
  { discussionId, projectId, noteableType, noteableId }: Positioned,
  position: Position,
): PositionRow {
  const { lineRange, point, lineCode: _, ...rest } = position;
  const { start, end } = lineRange ?? {};
  return {
    discussionId,
    noteable: targetKey({ type: noteableType, id: noteableId }),
    projectId,
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
