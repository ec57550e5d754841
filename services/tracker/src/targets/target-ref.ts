import type { TargetType } from '@forgelog/contracts/tracker/targets/target.ts';

/** Names one target, as events do. */
export interface TargetRef {
  projectId: number;
  type: TargetType;
  id: number;
  /** Number within the project. */
  iid: number;
}

/** One text for a target, for columns and maps: `Issue-70`. */
export const targetKey = ({ type, id }: Pick<TargetRef, 'type' | 'id'>): string => `${type}-${id}`;

/** The target that a row names by key and number. */
export function refOfKey(key: string, projectId: number, iid: number): TargetRef {
  const [type, id] = key.split('-');
  return { projectId, type: type as TargetType, id: Number(id), iid };
}
