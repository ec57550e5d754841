import type { DiscussedType, TargetType } from '@forgelog/contracts/tracker/targets/target.ts';

/** Names one target, as events do. */
export interface TargetRef {
  projectId: number;
  type: TargetType;
  id: number;
  /** Number within the project. */
  iid: number;
}

interface Placed {
  projectId: number;
  iid: number;
}

/** The issue that an event names. */
export const issueRef = ({ issueId: id, projectId, iid }: Placed & { issueId: number }): TargetRef => ({
  ...{ projectId, type: 'Issue', id, iid },
});

/** The merge request that an event names. */
export const mergeRequestRef = ({
  mergeRequestId: id,
  projectId,
  iid,
}: Placed & { mergeRequestId: number }): TargetRef => ({ projectId, type: 'MergeRequest', id, iid });

/** One text for a target, for columns and maps: `Issue-70`. */
export const targetKey = ({ type, id }: Pick<TargetRef | SnippetRef | EpicRef, 'type' | 'id'>): string =>
  `${type}-${id}`;

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

/** Names a snippet of a project. */
export interface SnippetRef {
  projectId: number;
  type: 'Snippet';
  id: number;
}

/** Names an epic, which is in a group. */
export interface EpicRef {
  groupId: number;
  type: 'Epic';
  id: number;
  /** Number within the group. */
  iid: number;
}

/** What a discussion is on. */
export type Noteable = TargetRef | CommitRef | SnippetRef | EpicRef;

export const isTargetRef = (on: Noteable): on is TargetRef =>
  on.type === 'Issue' || on.type === 'MergeRequest';

/** What events name it by. */
interface NoteableFields {
  projectId: number | null;
  groupId: number | null;
  noteableType: DiscussedType;
  noteableId: number | null;
  noteableIid: number | null;
  noteableSha: string | null;
}

export function noteableFields(on: Noteable): NoteableFields {
  const none = { projectId: null, groupId: null, noteableId: null, noteableIid: null, noteableSha: null };
  if (on.type === 'Commit')
    return { ...none, noteableType: on.type, projectId: on.projectId, noteableSha: on.sha };
  if (on.type === 'Snippet')
    return { ...none, noteableType: on.type, projectId: on.projectId, noteableId: on.id };
  const named = { ...none, noteableType: on.type, noteableId: on.id, noteableIid: on.iid };
  return on.type === 'Epic' ? { ...named, groupId: on.groupId } : { ...named, projectId: on.projectId };
}

export function noteableOf(data: NoteableFields): Noteable {
  const { noteableType: type, noteableId, noteableIid, noteableSha } = data;
  if (type === 'Commit') return { projectId: data.projectId!, type, sha: noteableSha! };
  if (type === 'Snippet') return { projectId: data.projectId!, type, id: noteableId! };
  const named = { id: noteableId!, iid: noteableIid! };
  if (type === 'Epic') return { groupId: data.groupId!, type, ...named };
  return { projectId: data.projectId!, type, ...named };
}

/** One text for it. Forks have the same commits, and discussions of their own. */
export const noteableKey = (on: Noteable): string =>
  on.type === 'Commit' ? `Commit-${on.projectId}-${on.sha}` : targetKey(on);
