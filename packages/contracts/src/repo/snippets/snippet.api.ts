import { z } from 'zod';
import {
  type Access,
  administrator,
  allOrNone,
  anyone,
  atLeastOne,
  defineEndpoint,
  exclusive,
  project,
  user,
} from '../../endpoint.ts';
import { described, hash, int, list, nullable, oneOf, type Params, required, text } from '../../params.ts';
import { projectId, visibility } from '../../shared/common.params.ts';
import { datetimeView, defineView, userView } from '../../views.ts';
import { RAW_TYPES } from '../commits/commit.api.ts';
import examples from './snippet.examples.json' with { type: 'json' };

/** Snippet [companions 3]: files of people or of a project, to show around. */
export const snippetView = defineView(
  'Snippet',
  {
    id: z.int(),
    title: z.string(),
    description: z.string().nullable(),
    visibility: z.enum(['private', 'internal', 'public']),
    author: userView,
    created_at: datetimeView,
    updated_at: datetimeView,
    /** null for a personal one. */
    project_id: z.int().nullable(),
    web_url: z.string(),
    raw_url: z.string(),
    ssh_url_to_repo: z.string(),
    http_url_to_repo: z.string(),
    /** The first one. */
    file_name: z.string(),
    files: z.array(defineView('SnippetFile', { path: z.string(), raw_url: z.string() })),
  },
  examples.Snippet,
);

export const userAgentView = defineView(
  'UserAgentDetail',
  { user_agent: z.string(), ip_address: z.string(), akismet_submitted: z.boolean() },
  examples.UserAgentDetail,
);

/** The only branch of a snippet. */
export const SNIPPET_BRANCH = 'main';
/** Bytes of all files of a snippet: they are in its events. */
export const MOST_SNIPPET_BYTES = 1_048_576;
export const MOST_SNIPPET_FILES = 10;

const path = text({ max: 1024 });
const file_name = described(path, 'Path of the only file', { examples: ['engine.py'] });
const fileText = described(text({ max: MOST_SNIPPET_BYTES }), 'Text of the only file', {
  examples: ['print(1)'],
});
const attributes = {
  description: described(nullable(text()), 'What it shows, in Markdown', { examples: ['Counts.'] }),
  visibility: described(visibility, 'Who sees it: its author or members of its project, users, or everybody'),
};
const title = described(text({ max: 4096 }), 'Title', { examples: ['Counting'] });
const content = text({ max: MOST_SNIPPET_BYTES });
const newFiles = described(
  list(
    hash({
      file_path: described(required(path), 'Path of the file'),
      content: described(required(content), 'Text of the file'),
    }),
    { max: MOST_SNIPPET_FILES },
  ),
  'The files, in place of `file_name` and `content`',
  { minItems: 1 },
);
const changedFiles = described(
  list(
    hash({
      action: described(required(oneOf('create', 'update', 'delete', 'move')), 'What to do with the file'),
      file_path: described(path, 'Path of the file; new ones without a name get one'),
      previous_path: described(path, 'Of a move: where the file was'),
      content: described(content, 'Text of the file'),
    }),
    { max: 2 * MOST_SNIPPET_FILES },
  ),
  'Changes of the files, in their order',
  { minItems: 1 },
);

interface Place<Where extends Params> {
  id: string;
  of: string;
  path: string;
  reads: Access;
  creates: Access;
  changes: Access;
  where: Where;
}

const spec = 'companions 2.11';

function snippetsOf<const Where extends Params>(place: Place<Where>) {
  const { id, of, where } = place;
  const common = { service: 'repo', spec } as const;
  const one = `${place.path}/:${id === 'project-snippet' ? 'snippet_id' : 'id'}`;
  return {
    get: defineEndpoint({
      ...common,
      access: place.reads,
      id: `${id}-get`,
      method: 'GET',
      path: one,
      summary: `One snippet of ${of}`,
      params: where,
      response: snippetView,
    }),
    update: defineEndpoint({
      ...common,
      access: place.changes,
      id: `${id}-update`,
      method: 'PUT',
      path: one,
      summary: `Change a snippet of ${of}, for its author and those who look after it`,
      params: { ...where, title, ...attributes, file_name, content: fileText, files: changedFiles },
      rules: [
        exclusive('files', 'file_name'),
        exclusive('files', 'content'),
        atLeastOne('title', ...Object.keys(attributes), 'file_name', 'content', 'files'),
      ],
      response: snippetView,
    }),
    delete: defineEndpoint({
      ...common,
      access: place.changes,
      id: `${id}-delete`,
      method: 'DELETE',
      path: one,
      summary: `Delete a snippet of ${of}, for its author and those who look after it`,
      params: where,
      status: 204,
      otherStatuses: [412],
    }),
    raw: defineEndpoint({
      ...common,
      access: place.reads,
      id: `${id}-raw`,
      method: 'GET',
      path: `${one}/raw`,
      summary: 'The text of its first file',
      params: where,
      otherStatuses: [304],
      mediaTypes: RAW_TYPES,
    }),
    rawFile: defineEndpoint({
      ...common,
      access: place.reads,
      id: `${id}-file-raw`,
      method: 'GET',
      path: `${one}/files/:ref/:file_path/raw`,
      summary: 'The text of one of its files',
      params: {
        ...where,
        ref: described(required(text({ max: 1024 })), `Its branch, \`${SNIPPET_BRANCH}\`, or \`HEAD\``),
        file_path: described(required(text({ max: 4096 })), 'URL-encoded path of the file'),
      },
      otherStatuses: [304],
      mediaTypes: RAW_TYPES,
    }),
    userAgent: defineEndpoint({
      ...common,
      access: administrator,
      id: `${id}-user-agent`,
      method: 'GET',
      path: `${one}/user_agent_detail`,
      summary: 'From where it was made, for administrators',
      params: where,
      response: userAgentView,
    }),
  };
}

/** What makes one: whole, or not at all. */
const making = {
  params: { title: required(title), ...attributes, file_name, content: fileText, files: newFiles },
  rules: [
    exclusive('files', 'file_name'),
    exclusive('files', 'content'),
    allOrNone('file_name', 'content'),
    atLeastOne('content', 'files'),
  ],
  status: 201,
  response: snippetView,
} as const;

const inProject = project('anyone', { feature: 'snippets' });

export const projectSnippets = {
  ...snippetsOf({
    id: 'project-snippet',
    of: 'a project',
    path: '/projects/:id/snippets',
    reads: inProject,
    creates: project('reporter', { feature: 'snippets' }),
    changes: project('anyone', { feature: 'snippets', signedIn: true }),
    where: { id: projectId, snippet_id: described(required(int()), 'Id of the snippet') },
  }),
  list: defineEndpoint({
    service: 'repo',
    access: inProject,
    id: 'project-snippet-list',
    method: 'GET',
    path: '/projects/:id/snippets',
    summary: 'Snippets of a project that the caller may see, the newest first',
    spec,
    params: { id: projectId },
    pagination: 'offset',
    response: z.array(snippetView),
  }),
  create: defineEndpoint({
    service: 'repo',
    access: project('reporter', { feature: 'snippets' }),
    id: 'project-snippet-create',
    method: 'POST',
    path: '/projects/:id/snippets',
    summary: 'Create a snippet of a project',
    spec,
    ...making,
    params: { id: projectId, ...making.params },
  }),
};

export const personalSnippets = {
  ...snippetsOf({
    id: 'snippet',
    of: 'a person',
    path: '/snippets',
    reads: anyone,
    creates: user,
    changes: user,
    where: { id: described(required(int()), 'Id of the snippet') },
  }),
  create: defineEndpoint({
    service: 'repo',
    access: user,
    id: 'snippet-create',
    method: 'POST',
    path: '/snippets',
    summary: 'Create a snippet of the caller',
    spec,
    ...making,
  }),
};

export const listOwnSnippets = defineEndpoint({
  service: 'repo',
  access: user,
  id: 'snippet-list',
  method: 'GET',
  path: '/snippets',
  summary: 'Snippets that the caller wrote, the newest first',
  spec,
  params: {},
  pagination: 'offset',
  response: z.array(snippetView),
});

export const listPublicSnippets = defineEndpoint({
  service: 'repo',
  access: anyone,
  id: 'snippet-list-public',
  method: 'GET',
  path: '/snippets/public',
  summary: 'Public snippets of people, the newest first',
  spec,
  params: {},
  pagination: 'offset',
  response: z.array(snippetView),
});

export const snippetEndpoints = [
  listOwnSnippets,
  listPublicSnippets,
  ...Object.values(personalSnippets),
  ...Object.values(projectSnippets),
];
