import type { ProjectFeature, Tier } from '../../endpoint.ts';
import type { groupId, projectId } from '../../shared/common.params.ts';

/** The kinds that discussions and to-dos may name, in events and in answers. */
export const targetTypes = ['Issue', 'MergeRequest'] as const;
export type TargetType = (typeof targetTypes)[number];

/** What people discuss: targets, commits and snippets, which repo tells of, and epics, which are in no project. */
export const discussedTypes = [...targetTypes, 'Commit', 'Snippet', 'Epic'] as const;
export type DiscussedType = (typeof discussedTypes)[number];

/** The kinds whose threads are resolved: a thread there is a question that has to be settled. */
export const hasResolvableThreads = (type: DiscussedType): boolean => type === 'MergeRequest';

/** What all endpoints about one kind of target have in common. */
export interface TargetContract extends DiscussedContract {
  type: TargetType;
  feature: ProjectFeature;
}

/** The same of anything that can be discussed. */
export interface DiscussedContract {
  /** The ids of its endpoints begin with it: `issue`. */
  id: string;
  /** With its article: `an issue`. */
  name: string;
  /** `/projects/:id/issues/:issue_iid` */
  path: string;
  /** The parameters in `path`. */
  params: { id: typeof projectId | typeof groupId };
  /** The part of a project that must be open to the caller; null for what is in a group. */
  feature: ProjectFeature | null;
  /** The edition from which on it is there; absent for all. */
  tier?: Tier;
  /** Whether anonymous callers read nothing of it, not even where the project is public. */
  signedIn: boolean;
}
