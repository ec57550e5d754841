import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import {
  bool,
  datetime,
  described,
  fallback,
  idOrPath,
  int,
  list,
  oneOf,
  required,
  text,
} from '../params.ts';
import { defineView } from '../views.ts';
import {
  detailedCommitView,
  diffView,
  RAW_TYPES,
  readsRepository,
  shortCommitView,
  writesRepository,
} from './commit.api.ts';

/** Tree entry [L45]; a submodule is of type `commit`. */
export const treeEntryView = defineView('TreeEntry', {
  id: z.string(),
  name: z.string(),
  type: z.enum(['tree', 'blob', 'commit']),
  path: z.string(),
  mode: z.string().regex(/^\d{6}$/),
});

export const blobView = defineView('Blob', {
  size: z.int(),
  encoding: z.literal('base64'),
  content: z.string(),
  sha: z.string(),
});

/** Comparison [L54]; without commits `commit` is null. */
export const comparisonView = defineView('Comparison', {
  commit: shortCommitView.nullable(),
  commits: z.array(shortCommitView),
  diffs: z.array(diffView),
  compare_timeout: z.boolean(),
  compare_same_ref: z.boolean(),
});

/** Contributor [L57]. */
export const contributorView = defineView('Contributor', {
  name: z.string(),
  email: z.string(),
  commits: z.int(),
  additions: z.literal(0),
  deletions: z.literal(0),
});

const base = '/projects/:id/repository';
const name = text({ max: 1024 });

export const getTree = defineEndpoint({
  ...readsRepository,
  id: 'repo-tree',
  method: 'GET',
  path: `${base}/tree`,
  summary: 'Files and folders of a folder: folders first, then files, then submodules',
  spec: 'api-v4 L210',
  params: {
    id: idOrPath(),
    path: text({ max: 16_384 }),
    ref: name,
    recursive: fallback(bool(), false),
  },
  pagination: 'offset',
  cursor: 'page_token',
  response: z.array(treeEntryView),
});

const blob = { id: idOrPath(), sha: required(name) };

export const getBlob = defineEndpoint({
  ...readsRepository,
  id: 'repo-blob',
  method: 'GET',
  path: `${base}/blobs/:sha`,
  summary: 'A blob by its id',
  spec: 'api-v4 L211',
  params: blob,
  response: blobView,
});

export const getRawBlob = defineEndpoint({
  ...readsRepository,
  id: 'repo-blob-raw',
  method: 'GET',
  path: `${base}/blobs/:sha/raw`,
  summary: 'The bytes of a blob',
  spec: 'api-v4 L212',
  params: blob,
  otherStatuses: [304, 413],
  mediaTypes: RAW_TYPES,
});

/** The suffixes of an archive; the four odd ones are bzip2 tarballs [L213]. */
export const ARCHIVE_SUFFIXES = ['tar.gz', 'tar.bz2', 'tbz', 'tbz2', 'tb2', 'bz2', 'tar', 'zip'] as const;

const archive = {
  ...readsRepository,
  method: 'GET',
  summary: 'The files of a commit, packed',
  spec: 'api-v4 L213',
  // More than five a minute.
  otherStatuses: [429],
  mediaTypes: ['application/gzip', 'application/x-bzip2', 'application/x-tar', 'application/zip'],
} as const;
const archiveParams = { id: idOrPath(), sha: name, path: text({ max: 16_384 }) };

export const getArchive = defineEndpoint({
  ...archive,
  id: 'repo-archive',
  path: `${base}/archive`,
  params: archiveParams,
});

export const getArchiveOfFormat = defineEndpoint({
  ...archive,
  id: 'repo-archive-format',
  path: `${base}/archive.:format`,
  // Whatever else stands there is no path of this API: 404, not a wrong parameter.
  params: { ...archiveParams, format: described(required(name), ARCHIVE_SUFFIXES.join(', ')) },
});

export const compareRefs = defineEndpoint({
  ...readsRepository,
  id: 'repo-compare',
  method: 'GET',
  path: `${base}/compare`,
  summary: 'What is in one branch, tag or commit and not in another',
  spec: 'api-v4 L214',
  params: {
    id: idOrPath(),
    from: required(name),
    to: required(name),
    from_project_id: int(),
    straight: fallback(bool(), false),
  },
  response: comparisonView,
});

export const listContributors = defineEndpoint({
  ...readsRepository,
  id: 'repo-contributors',
  method: 'GET',
  path: `${base}/contributors`,
  summary: 'Authors of the default branch',
  spec: 'api-v4 L215',
  params: {
    id: idOrPath(),
    order_by: fallback(oneOf('name', 'email', 'commits'), 'commits'),
    sort: fallback(oneOf('asc', 'desc'), 'asc'),
  },
  pagination: 'offset',
  response: z.array(contributorView),
});

export const getMergeBase = defineEndpoint({
  ...readsRepository,
  id: 'repo-merge-base',
  method: 'GET',
  path: `${base}/merge_base`,
  summary: 'The best common ancestor of two or more branches, tags or commits',
  spec: 'api-v4 L216',
  params: { id: idOrPath(), refs: required(list(name, { max: 100 })) },
  response: detailedCommitView,
});

const changelogRange = {
  id: idOrPath(),
  version: required(name),
  from: name,
  to: name,
  date: datetime(),
  trailer: fallback(name, 'Changelog'),
};

export const getChangelog = defineEndpoint({
  ...readsRepository,
  id: 'repo-changelog-get',
  method: 'GET',
  path: `${base}/changelog`,
  summary: 'The section about a version, as the changelog would hold it; nothing is committed',
  spec: 'beyond the specification, for newer clients',
  params: changelogRange,
  response: defineView('ChangelogSection', { notes: z.string() }),
});

export const createChangelog = defineEndpoint({
  ...writesRepository,
  id: 'repo-changelog',
  method: 'POST',
  path: `${base}/changelog`,
  summary: 'Commit a section about a version to the changelog',
  spec: 'api-v4 L217',
  params: {
    ...changelogRange,
    branch: name,
    file: fallback(text({ max: 16_384 }), 'CHANGELOG.md'),
    message: text(),
  },
  otherStatuses: [422],
  response: z.literal(200),
});

export const repositoryEndpoints = [
  getTree,
  getBlob,
  getRawBlob,
  getArchive,
  getArchiveOfFormat,
  compareRefs,
  listContributors,
  getMergeBase,
  getChangelog,
  createChangelog,
];
