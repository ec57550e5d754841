import { z } from 'zod';
import { defineEndpoint, project } from '../endpoint.ts';
import { bool, datetime, fallback, hash, idOrPath, list, oneOf, required, text } from '../params.ts';
import { datetimeView, defineView } from '../views.ts';

/** Scopes with which a repository can be read [L186]. */
export const READ_SCOPES = ['read_repository', 'api', 'read_api'] as const;
/** Raw content is text or bytes to be saved, and nothing that a browser would run. */
export const RAW_TYPES = ['text/plain', 'application/octet-stream'] as const;
/** Largest body of a request that brings contents of files: 100 MiB. */
export const MAX_CONTENT_BODY = 100 * 1024 * 1024;
/** Reading what a repository holds: whoever may see it, without signing in where it is public. */
export const readsRepository = {
  service: 'repo',
  access: project('anyone', { feature: 'repository' }),
  scopes: READ_SCOPES,
  // An object is larger than what an answer can hold.
  otherStatuses: [413],
} as const;
/** Changing it: Developer at least; what the branch itself asks for is checked against the branch. */
export const writesRepository = {
  service: 'repo',
  access: project('developer', { feature: 'repository' }),
} as const;

/** Commit, short form [L51]. */
export const shortCommitView = defineView('CommitSummary', {
  id: z.string(),
  short_id: z.string(),
  title: z.string(),
  author_name: z.string(),
  author_email: z.string(),
  created_at: datetimeView,
});

/** The form of merge bases and releases [L51]. */
export const detailedCommitView = defineView('CommitWithParents', {
  ...shortCommitView.shape,
  parent_ids: z.array(z.string()),
  message: z.string(),
  authored_date: datetimeView,
  committer_name: z.string(),
  committer_email: z.string(),
  committed_date: datetimeView,
});

/** Commit, full form (companions 3). */
export const commitView = defineView('Commit', { ...detailedCommitView.shape, web_url: z.string() });

export const commitStatsView = defineView('CommitStats', {
  additions: z.int(),
  deletions: z.int(),
  total: z.int(),
});

export const listedCommitView = defineView('ListedCommit', {
  ...commitView.shape,
  stats: commitStatsView.optional(),
  trailers: z.record(z.string(), z.string()).optional(),
});

export const singleCommitView = defineView('CommitDetail', {
  ...commitView.shape,
  stats: commitStatsView.optional(),
  status: z.string().nullable(),
  project_id: z.int(),
  last_pipeline: z.null(),
});

/** One changed file [L54]. */
export const diffView = defineView('Diff', {
  old_path: z.string(),
  new_path: z.string(),
  a_mode: z.string().nullable(),
  b_mode: z.string(),
  diff: z.string(),
  new_file: z.boolean(),
  renamed_file: z.boolean(),
  deleted_file: z.boolean(),
});

const base = '/projects/:id/repository/commits';
const name = text({ max: 1024 });
const person = text({ max: 1024 });
const path = text({ max: 16_384 });
const one = { id: idOrPath(), sha: required(name) };

export const listCommits = defineEndpoint({
  ...readsRepository,
  id: 'commit-list',
  method: 'GET',
  path: base,
  summary: 'Commits of a branch, a tag or a range, the newest first',
  spec: 'companions 2.5',
  params: {
    id: idOrPath(),
    ref_name: name,
    since: datetime(),
    until: datetime(),
    path,
    author: person,
    all: fallback(bool(), false),
    with_stats: fallback(bool(), false),
    first_parent: fallback(bool(), false),
    order: fallback(oneOf('default', 'topo'), 'default'),
    trailers: fallback(bool(), false),
  },
  pagination: 'commits',
  response: z.array(listedCommitView),
});

export const getCommit = defineEndpoint({
  ...readsRepository,
  id: 'commit-get',
  method: 'GET',
  path: `${base}/:sha`,
  summary: 'One commit, by its id, an abbreviation of it, a branch or a tag',
  spec: 'companions 2.5',
  params: { ...one, stats: fallback(bool(), true) },
  response: singleCommitView,
});

export const getCommitDiff = defineEndpoint({
  ...readsRepository,
  id: 'commit-diff',
  method: 'GET',
  path: `${base}/:sha/diff`,
  summary: 'What a commit changed against its first parent',
  spec: 'companions 2.5',
  params: one,
  pagination: 'offset',
  response: z.array(diffView),
});

export const listCommitRefs = defineEndpoint({
  ...readsRepository,
  id: 'commit-refs',
  method: 'GET',
  path: `${base}/:sha/refs`,
  summary: 'Branches and tags that hold a commit',
  spec: 'companions 2.5',
  params: { ...one, type: fallback(oneOf('branch', 'tag', 'all'), 'all') },
  pagination: 'offset',
  response: z.array(defineView('CommitRef', { type: z.enum(['branch', 'tag']), name: z.string() })),
});

export const createCommit = defineEndpoint({
  ...writesRepository,
  id: 'commit-create',
  method: 'POST',
  path: base,
  summary: 'Commit several changes to files at once',
  spec: 'companions 2.5',
  params: {
    id: idOrPath(),
    branch: required(name),
    commit_message: required(text()),
    actions: required(
      list(
        hash({
          action: required(oneOf('create', 'delete', 'move', 'update', 'chmod')),
          file_path: required(path),
          previous_path: path,
          content: text({ max: MAX_CONTENT_BODY }),
          encoding: fallback(oneOf('text', 'base64'), 'text'),
          last_commit_id: name,
          execute_filemode: bool(),
        }),
        { max: 10_000 },
      ),
    ),
    start_branch: name,
    start_sha: name,
    start_project: text({ max: 4096 }),
    author_email: person,
    author_name: person,
    stats: fallback(bool(), true),
    force: fallback(bool(), false),
  },
  rules: [{ kind: 'exclusive', names: ['start_branch', 'start_sha'] }],
  status: 201,
  maxBody: MAX_CONTENT_BODY,
  response: singleCommitView,
});

export const commitEndpoints = [listCommits, createCommit, getCommit, getCommitDiff, listCommitRefs];
