import { z } from 'zod';
import { listedPipelineView } from '../../ci/pipelines/pipeline.views.ts';
import { CI_STATUSES } from '../../ci/pipelines/pipeline-statuses.ts';
import { defineEndpoint, exclusive, project } from '../../endpoint.ts';
import { bool, datetime, described, fallback, hash, list, oneOf, required, text } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { datetimeView, defineView } from '../../views.ts';
import { signatureView } from '../signatures/signature.views.ts';
import examples from './commit.examples.json' with { type: 'json' };

/** Scopes for reading a repository [L186]. */
export const READ_SCOPES = ['read_repository', 'api', 'read_api'] as const;
/** Types that a browser does not execute. */
export const RAW_TYPES = ['text/plain', 'application/octet-stream'] as const;
/** 100 MiB, for requests with file contents. */
export const MAX_CONTENT_BODY = 100 * 1024 * 1024;
/** Access to read a repository: anyone who sees it, without signing in where it is public. */
export const readsRepository = {
  service: 'repo',
  access: project('anyone', { feature: 'repository' }),
  scopes: READ_SCOPES,
  // An object may be too large for an answer.
  otherStatuses: [413],
} as const;
/** Access to write: at least Developer; rules of the branch are checked later. */
export const writesRepository = {
  service: 'repo',
  access: project('developer', { feature: 'repository' }),
} as const;
/**
 * Access to commit is a question of the branch, and is asked later: Developers may, where no rule says otherwise, and those
 * whom a merge request of a fork lets push to its source branch.
 */
export const commitsToBranches = {
  service: 'repo',
  access: project('anyone', { feature: 'repository', signedIn: true }),
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

/** The form in merge bases and releases [L51]. */
export const detailedCommitView = defineView(
  'CommitWithParents',
  {
    ...shortCommitView.shape,
    parent_ids: z.array(z.string()),
    message: z.string(),
    authored_date: datetimeView,
    committer_name: z.string(),
    committer_email: z.string(),
    committed_date: datetimeView,
  },
  examples.CommitWithParents,
);

/** Commit, full form (companions 3). */
export const commitView = defineView(
  'Commit',
  { ...detailedCommitView.shape, web_url: z.string() },
  examples.Commit,
);

export const commitStatsView = defineView('CommitStats', {
  additions: z.int(),
  deletions: z.int(),
  total: z.int(),
});

export const listedCommitView = defineView(
  'ListedCommit',
  {
    ...commitView.shape,
    stats: commitStatsView.optional(),
    trailers: z.record(z.string(), z.string()).optional(),
  },
  examples.ListedCommit,
);

export const singleCommitView = defineView(
  'CommitDetail',
  {
    ...commitView.shape,
    stats: commitStatsView.optional(),
    status: z.enum(CI_STATUSES).nullable(),
    project_id: z.int(),
    last_pipeline: listedPipelineView.nullable(),
  },
  examples.CommitDetail,
);

/** One changed file [L54]. */
export const diffView = defineView(
  'Diff',
  {
    old_path: z.string(),
    new_path: z.string(),
    a_mode: z.string().nullable(),
    b_mode: z.string(),
    diff: z.string(),
    new_file: z.boolean(),
    renamed_file: z.boolean(),
    deleted_file: z.boolean(),
  },
  examples.Diff,
);

const base = '/projects/:id/repository/commits';
const name = text({ max: 1024 });
const person = text({ max: 1024 });
const path = text({ max: 16_384 });
const one = {
  id: projectId,
  sha: described(required(name), 'Id of the commit, an abbreviation of it, or a branch or tag'),
};

export const listCommits = defineEndpoint({
  ...readsRepository,
  id: 'commit-list',
  method: 'GET',
  path: base,
  summary: 'Commits of a branch, a tag or a range, the newest first',
  spec: 'companions 2.5',
  params: {
    id: projectId,
    ref_name: described(name, 'Branch, tag or commit, or a range `from..to`; the default branch by default'),
    since: described(datetime(), 'Only commits at or after this time'),
    until: described(datetime(), 'Only commits at or before this time'),
    path: described(path, 'Only commits that changed this file or folder'),
    author: described(person, 'Only commits whose author holds this'),
    all: described(fallback(bool(), false), 'Commits of all branches and tags'),
    with_stats: described(fallback(bool(), false), 'Adds the numbers of changed lines'),
    first_parent: described(fallback(bool(), false), 'Follows only the first parent of merges'),
    order: described(
      fallback(oneOf('default', 'topo'), 'default'),
      'By time, or children before their parents',
    ),
    trailers: described(fallback(bool(), false), 'Adds the trailers of the messages'),
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
  params: { ...one, stats: described(fallback(bool(), true), 'Adds the numbers of changed lines') },
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

export const commitRefView = defineView(
  'CommitRef',
  { type: z.enum(['branch', 'tag']), name: z.string() },
  examples.CommitRef,
);

export const listCommitRefs = defineEndpoint({
  ...readsRepository,
  id: 'commit-refs',
  method: 'GET',
  path: `${base}/:sha/refs`,
  summary: 'Branches and tags that hold a commit',
  spec: 'companions 2.5',
  params: {
    ...one,
    type: described(fallback(oneOf('branch', 'tag', 'all'), 'all'), 'Only branches, or only tags'),
  },
  pagination: 'offset',
  response: z.array(commitRefView),
});

export const createCommit = defineEndpoint({
  ...commitsToBranches,
  id: 'commit-create',
  method: 'POST',
  path: base,
  summary: 'Commit several changes to files at once',
  spec: 'companions 2.5',
  params: {
    id: projectId,
    branch: described(required(name), 'Branch to commit to', { examples: ['main'] }),
    commit_message: described(required(text()), 'Message of the commit', {
      examples: ['Describe the engine'],
    }),
    actions: described(
      required(
        list(
          hash({
            action: described(
              required(oneOf('create', 'delete', 'move', 'update', 'chmod')),
              'What to do with the file',
            ),
            file_path: described(required(path), 'Path of the file'),
            previous_path: described(path, 'Of a move: where the file was'),
            content: described(text({ max: MAX_CONTENT_BODY }), 'Content of the file'),
            encoding: described(fallback(oneOf('text', 'base64'), 'text'), 'How `content` is written'),
            last_commit_id: described(name, 'Refuses the change where a newer commit changed the file'),
            execute_filemode: described(bool(), 'Whether the file can be executed'),
          }),
          { max: 10_000 },
        ),
      ),
      'The changes, in their order',
      { minItems: 1, examples: [[{ action: 'create', file_path: 'README.md', content: 'Hello' }]] },
    ),
    start_branch: described(name, 'Branch that a new `branch` begins at'),
    start_sha: described(name, 'Commit that a new `branch` begins at'),
    start_project: described(
      text({ max: 4096 }),
      'Project that `start_branch` or `start_sha` is in; only this one',
    ),
    author_email: described(person, 'E-mail address of the author, by default that of the caller'),
    author_name: described(person, 'Name of the author, by default that of the caller'),
    stats: described(fallback(bool(), true), 'Adds the numbers of changed lines'),
    force: described(fallback(bool(), false), 'Resets `branch` to the start'),
  },
  rules: [exclusive('start_branch', 'start_sha')],
  status: 201,
  maxBody: MAX_CONTENT_BODY,
  response: singleCommitView,
});

export const getCommitSignature = defineEndpoint({
  ...readsRepository,
  id: 'commit-signature',
  method: 'GET',
  path: `${base}/:sha/signature`,
  summary: 'Signature of a commit, and whether it is verified',
  spec: 'companions 2.5',
  params: one,
  response: signatureView,
});

/** The answer to a rehearsal that a commit fits [companions 2.5]. */
export const dryRunView = defineView('DryRun', { dry_run: z.literal('success') });

const applied = {
  ...commitsToBranches,
  method: 'POST',
  spec: 'companions 2.5',
  status: 201,
  // A rehearsal makes nothing.
  otherStatuses: [200],
  response: z.union([commitView, dryRunView]),
} as const;
const onto = {
  ...one,
  branch: described(required(name), 'Branch that gets the new commit', { examples: ['main'] }),
  dry_run: described(fallback(bool(), false), 'Only says whether the commit fits, and makes none'),
};

export const cherryPickCommit = defineEndpoint({
  ...applied,
  id: 'commit-cherry-pick',
  path: `${base}/:sha/cherry_pick`,
  summary: 'Apply the changes of a commit to a branch; of a merge, those against its first parent',
  params: {
    ...onto,
    message: described(text(), 'Message of the new commit; by default that of the picked one, and its id'),
  },
});

export const revertCommit = defineEndpoint({
  ...applied,
  id: 'commit-revert',
  path: `${base}/:sha/revert`,
  summary: 'Take the changes of a commit back on a branch; of a merge, those against its first parent',
  params: onto,
});

export const commitEndpoints = [
  listCommits,
  createCommit,
  getCommit,
  getCommitDiff,
  listCommitRefs,
  getCommitSignature,
  cherryPickCommit,
  revertCommit,
];
