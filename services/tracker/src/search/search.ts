import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';

/** A search of one scope, as all of them take it. */
export interface Search {
  request: Pick<ApiRequest, 'principal' | 'caller' | 'page'>;
  search: string;
  /** Branch, tag or commit, for what is in repositories. */
  ref: string | undefined;
  words: readonly string[];
  place: { groupId: number | null; projectId: number | null };
  /** Ids of the projects in which to look; null for all. */
  within: readonly number[] | null;
  /** The project, where the search is in one. */
  grant: ProjectGrant | null;
  state: string | undefined;
  confidential: boolean | undefined;
  /** null: the best first. */
  byTime: 'asc' | 'desc' | null;
}
