import { z } from 'zod';
import { defineEndpoint, group, project, user } from '../../endpoint.ts';
import { bool, described, oneOf, type Params, required, text } from '../../params.ts';
import { simpleProjectView } from '../../repo/projects/project.views.ts';
import { searchedBlobView, searchedCommitView } from '../../repo/search/search.views.ts';
import { snippetView } from '../../repo/snippets/snippet.api.ts';
import { groupId, projectId } from '../../shared/common.params.ts';
import { LONGEST_SEARCH } from '../../shared/search.ts';
import { userView } from '../../views.ts';
import { noteView } from '../discussions/discussion.views.ts';
import { issueView } from '../issues/issue.api.ts';
import { mergeRequestView } from '../merge-requests/merge-request.views.ts';
import { milestoneView } from '../milestones/milestone.api.ts';

const IN_PLACE = ['issues', 'merge_requests', 'milestones', 'notes', 'users', 'wiki_blobs', 'blobs'] as const;
const IN_PROJECT = [...IN_PLACE, 'commits'] as const;
const IN_GROUP = ['projects', ...IN_PLACE] as const;
const ANYWHERE = [...IN_GROUP, 'snippet_titles'] as const;

export type SearchScope = (typeof ANYWHERE | typeof IN_PROJECT)[number];

const params = {
  search: described(
    required(text({ max: LONGEST_SEARCH })),
    'What to look for: words or their beginnings; in code and messages of commits this very text',
    { examples: ['list'] },
  ),
  state: described(
    oneOf('all', 'opened', 'closed', 'locked', 'merged'),
    'Only issues or merge requests in this state',
  ),
  confidential: described(bool(), 'Only confidential issues, or only others'),
  order_by: described(oneOf('created_at'), 'By time of creation; otherwise the best come first'),
  sort: described(oneOf('asc', 'desc'), 'Direction of the time of creation, by which it then goes too'),
};

const scopeOf = <const Scopes extends readonly [string, ...string[]]>(...scopes: Scopes) => ({
  scope: described(required(oneOf(...scopes)), 'Of what kind', { examples: ['issues'] }),
});

const items = z.array(
  z.union([
    issueView,
    mergeRequestView,
    milestoneView,
    noteView,
    simpleProjectView,
    snippetView,
    userView,
    searchedBlobView,
    searchedCommitView,
  ]),
);

const common = {
  service: 'tracker',
  method: 'GET',
  spec: 'companions 2.4',
  pagination: 'offset',
  response: items,
} as const;

export const searchInstance = defineEndpoint({
  ...common,
  access: user,
  id: 'search',
  path: '/search',
  summary: 'What the caller may see anywhere, and that holds some words',
  params: { ...scopeOf(...ANYWHERE), ...params },
});

/** Clients know two addresses of it. */
function searchIn<const P extends Params>(place: {
  id: string;
  path: string;
  access: ReturnType<typeof group | typeof project>;
  summary: string;
  params: P;
}) {
  const { id, path } = place;
  return {
    plain: defineEndpoint({ ...common, ...place, id: `${id}-search-plain`, path: `${path}/search` }),
    dashed: defineEndpoint({ ...common, ...place, id: `${id}-search`, path: `${path}/-/search` }),
  };
}

export const searchGroup = searchIn({
  id: 'group',
  path: '/groups/:id',
  access: group('anyone', { signedIn: true }),
  summary: 'What the caller may see in the projects of a group, and that holds some words',
  params: { id: groupId, ...scopeOf(...IN_GROUP), ...params },
});

export const searchProject = searchIn({
  id: 'project',
  path: '/projects/:id',
  access: project('anyone', { signedIn: true }),
  summary: 'What the caller may see in a project, and that holds some words',
  params: {
    id: projectId,
    ...scopeOf(...IN_PROJECT),
    ref: described(
      text(),
      'Branch, tag or commit whose code or history is searched; otherwise the default branch',
    ),
    ...params,
  },
});

export const searchEndpoints = [
  searchInstance,
  ...Object.values(searchGroup),
  ...Object.values(searchProject),
];
