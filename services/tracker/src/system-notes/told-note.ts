import type { TargetRef } from '../targets/target-ref.ts';

/** Never renumber them: ids are made of them. */
const SLOTS = {
  source: 0,
  draft: 1,
  title: 2,
  description: 3,
  labels: 4,
  milestone: 5,
  assignees: 6,
  reviewers: 7,
  dueDate: 8,
  weight: 9,
  confidential: 10,
  lock: 11,
  type: 12,
  branch: 13,
  one: 14,
  otherEnd: 15,
  epic: 16,
  iteration: 17,
} as const;

/** What is said when a note is shown: by names of that moment. */
export type SystemNoteKind =
  | 'text'
  | 'labels'
  | 'milestone'
  | 'iteration'
  | 'assignees'
  | 'reviewers'
  | 'source';

export interface ToldNote {
  slot: number;
  kind: SystemNoteKind;
  /** As it is, or what stands before the name of a source. */
  text: string;
  /** Ids of labels, of users, or of one milestone or iteration. */
  addedIds: readonly number[];
  removedIds: readonly number[];
  /** `sourceKey` of what it names, for whoever may see that. */
  source: string | null;
}

type Slot = keyof typeof SLOTS;

const NOTHING = { text: '', addedIds: [], removedIds: [], source: null };

export const saying = (slot: Slot, text: string): ToldNote => ({
  ...NOTHING,
  ...{ slot: SLOTS[slot], kind: 'text', text },
});

export const naming = (text: string, source: string, slot: Slot = 'source'): ToldNote => ({
  ...NOTHING,
  ...{ slot: SLOTS[slot], kind: 'source', text, source },
});

/** Empty where nothing was added or taken away. */
export function exchanged(
  kind: 'labels' | 'assignees' | 'reviewers',
  after: readonly number[] | undefined,
  before: readonly number[] | undefined,
): ToldNote[] {
  if (!after || !before) return [];
  const [old, young] = [new Set(before), new Set(after)];
  const addedIds = after.filter((id) => !old.has(id));
  const removedIds = before.filter((id) => !young.has(id));
  if (addedIds.length + removedIds.length === 0) return [];
  return [{ ...NOTHING, slot: SLOTS[kind], kind, addedIds, removedIds }];
}

/** @param after undefined where it stayed */
export function replaced(
  after: number | null | undefined,
  kind: 'milestone' | 'iteration' = 'milestone',
): ToldNote[] {
  if (after === undefined) return [];
  const addedIds = after === null ? [] : [after];
  return [{ ...NOTHING, slot: SLOTS[kind], kind, addedIds }];
}

/** What a note names: `projectId` is of a group where it is an epic. */
export interface Source {
  type: TargetRef['type'] | 'Epic';
  projectId: number;
  iid: number;
}

export const epicSource = (groupId: number, iid: number): string => `Epic-${groupId}-${iid}`;

/** One text for an issue or a merge request that a note names: `Issue-7-12`. */
export const sourceKey = ({ type, projectId, iid }: Pick<TargetRef, 'type' | 'projectId' | 'iid'>): string =>
  `${type}-${projectId}-${iid}`;

export function sourceOf(key: string): Source {
  const [type, projectId, iid] = key.split('-');
  return { type: type as Source['type'], projectId: Number(projectId), iid: Number(iid) };
}
