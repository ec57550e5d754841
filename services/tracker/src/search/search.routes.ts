import { searchUsers } from '@forgelog/contracts/admin/search/user-search.operations.ts';
import type { ParamsOf } from '@forgelog/contracts/endpoint.ts';
import { searchCode, searchRepo } from '@forgelog/contracts/repo/search/repo-search.operations.ts';
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
import { codeSearch } from './code-search.query.ts';
import { noteSearch } from './note-search.query.ts';
import type { Search } from './search.ts';
import { issueSearch, mergeRequestSearch, milestoneSearch, nothing } from './target-search.query.ts';

type Asked = Omit<ParamsOf<typeof searchInstance>, 'scope'> & { scope: SearchScope; ref?: string };

const BY_TEXT: ReadonlySet<SearchScope> = new Set(['blobs', 'commits']);

/** Answers searches: what other services own is asked of them, by operations. */
export function searchRoutes(ports: ServicePorts, kinds: readonly TargetKind[]): Implementation[] {
  const { directory, operations } = ports;

  const elsewhere = {
    projects: (asked: Search) => repo('projects', asked),
    snippet_titles: (asked: Search) => repo('snippet_titles', asked),
    wiki_blobs: (asked: Search) => repo('wiki_blobs', asked),
    blobs: (asked: Search) => code('blobs', asked),
    commits: (asked: Search) => code('commits', asked),
    users: async ({ place, search, byTime, request }: Search): Promise<Answer> => {
      const { page, principal } = request;
      const found = await operations.call(searchUsers, { ...place, search, byTime, page }, { principal });
      return { kind: 'list', ...found };
    },
  };

  async function repo(
    scope: 'projects' | 'snippet_titles' | 'wiki_blobs',
    { place, search, byTime, request: { page, principal } }: Search,
  ): Promise<Answer> {
    const found = await operations.call(searchRepo, { scope, ...place, search, byTime, page }, { principal });
    return { kind: 'list', ...found };
  }

  async function code(scope: 'blobs' | 'commits', asked: Search): Promise<Answer> {
    const { grant, ref, search, request } = asked;
    const { page, principal } = request;
    if (grant === null) return across(asked);
    if (!grant.can('repository')) return nothing(asked);
    const wanted = { scope, projectId: grant.project.id, ref: ref || null, search, page };
    return { kind: 'list', ...(await operations.call(searchCode, wanted, { principal })) };
  }

  const across = codeSearch(ports);

  const finders: Record<SearchScope, (asked: Search) => Promise<Answer>> = {
    issues: issueSearch(ports),
    merge_requests: mergeRequestSearch(ports),
    milestones: milestoneSearch(ports),
    notes: noteSearch(ports, kinds),
    ...elsewhere,
  };

  function answer(request: ApiRequest, place: Pick<Search, 'place' | 'within' | 'grant'>): Promise<Answer> {
    const { scope, search, ref, state, confidential, order_by: by, sort } = request.params as Asked;
    const byTime = by || sort ? (sort ?? 'desc') : null;
    // Code has signs between its words, and they count.
    const words = BY_TEXT.has(scope) ? [] : searchedWords(search);
    return finders[scope]({ ...place, request, search, ref, words, state, confidential, byTime });
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
