import { searchUsers } from '@forgelog/contracts/admin/search/user-search.operations.ts';
import type { ParamsOf } from '@forgelog/contracts/endpoint.ts';
import { searchRepo } from '@forgelog/contracts/repo/search/repo-search.operations.ts';
import {
  type SearchScope,
  searchGroup,
  searchInstance,
  searchProject,
} from '@forgelog/contracts/tracker/search/search.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { Answer } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { searchedWords } from '@forgelog/service-kit/searched.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import type { TargetKind } from '../targets/target.ts';
import { noteSearch } from './note-search.query.ts';
import type { Search } from './search.ts';
import { issueSearch, mergeRequestSearch, milestoneSearch } from './target-search.query.ts';

type Asked = Omit<ParamsOf<typeof searchInstance>, 'scope'> & { scope: SearchScope };

/** Answers searches: what other services own is asked of them, by operations. */
export function searchRoutes(ports: ServicePorts, kinds: readonly TargetKind[]): Implementation[] {
  const { directory, operations } = ports;

  const elsewhere = {
    projects: (asked: Search) => repo('projects', asked),
    snippet_titles: (asked: Search) => repo('snippet_titles', asked),
    users: async ({ place, search, byTime, request }: Search): Promise<Answer> => {
      const { page, principal } = request;
      const found = await operations.call(searchUsers, { ...place, search, byTime, page }, { principal });
      return { kind: 'list', ...found };
    },
  };

  async function repo(
    scope: 'projects' | 'snippet_titles',
    { place, search, byTime, request: { page, principal } }: Search,
  ): Promise<Answer> {
    const found = await operations.call(searchRepo, { scope, ...place, search, byTime, page }, { principal });
    return { kind: 'list', ...found };
  }

  const finders: Record<SearchScope, (asked: Search) => Promise<Answer>> = {
    issues: issueSearch(ports),
    merge_requests: mergeRequestSearch(ports),
    milestones: milestoneSearch(ports),
    notes: noteSearch(ports, kinds),
    ...elsewhere,
  };

  function answer(request: ApiRequest, place: Pick<Search, 'place' | 'within' | 'grant'>): Promise<Answer> {
    const { scope, search, state, confidential, order_by: by, sort } = request.params as Asked;
    const byTime = by || sort ? (sort ?? 'desc') : null;
    const words = searchedWords(search);
    return finders[scope]({ ...place, request, search, words, state, confidential, byTime });
  }

  const inGroup = async (request: ApiRequest) => {
    const { id: groupId } = request.group.group;
    const within = await directory.projectsBelow(groupId);
    return answer(request, { place: { groupId, projectId: null }, within, grant: null });
  };
  const inProject = async (request: ApiRequest) => {
    const { project } = request;
    const { id: projectId } = project.project;
    return answer(request, { place: { groupId: null, projectId }, within: [projectId], grant: project });
  };

  return [
    implement(searchInstance, async (request) =>
      answer(request, { place: { groupId: null, projectId: null }, within: null, grant: null }),
    ),
    implement(searchGroup.plain, inGroup),
    implement(searchGroup.dashed, inGroup),
    implement(searchProject.plain, inProject),
    implement(searchProject.dashed, inProject),
  ];
}
