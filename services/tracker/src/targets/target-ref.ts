import type { DiscussedType, TargetType } from '@forgelog/contracts/tracker/targets/target.ts';

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

/** Names a commit that is discussed. */
export interface CommitRef {
  projectId: number;
  type: 'Commit';
  sha: string;
}

/** What a discussion is on. */
export type Noteable = TargetRef | CommitRef;

/** What events name it by. */
interface NoteableFields {
  projectId: number;
  noteableType: DiscussedType;
  noteableId: number | null;
  noteableIid: number | null;
  noteableSha: string | null;
}

export function noteableFields(on: Noteable): NoteableFields {
  const { projectId, type: noteableType } = on;
  if (on.type === 'Commit')
    return { projectId, noteableType, noteableId: null, noteableIid: null, noteableSha: on.sha };
  return { projectId, noteableType, noteableId: on.id, noteableIid: on.iid, noteableSha: null };
}

export function noteableOf(data: NoteableFields): Noteable {
  const { projectId, noteableType: type, noteableId, noteableIid, noteableSha } = data;
  if (type === 'Commit') return { projectId, type, sha: noteableSha! };
  return { projectId, type, id: noteableId!, iid: noteableIid! };
}

/** One text for it. Forks have the same commits, and discussions of their own. */
export const noteableKey = (on: Noteable): string =>
  on.type === 'Commit' ? `Commit-${on.projectId}-${on.sha}` : targetKey(on);
