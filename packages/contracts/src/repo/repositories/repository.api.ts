import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { bool, datetime, described, fallback, int, list, oneOf, required, text } from '../../params.ts';
import { ascending, projectId } from '../../shared/common.params.ts';
import { defineView } from '../../views.ts';
import {
  detailedCommitView,
  diffView,
  RAW_TYPES,
  readsRepository,
  shortCommitView,
  writesRepository,
} from '../commits/commit.api.ts';
import examples from './repository.examples.json' with { type: 'json' };

/** Tree entry [L45]; a submodule is of type `commit`. */
export const treeEntryView = defineView(
  'TreeEntry',
  {
    id: z.string(),
    name: z.string(),
    type: z.enum(['tree', 'blob', 'commit']),
    path: z.string(),
    mode: z.string().regex(/^\d{6}$/),
  },
  examples.TreeEntry,
);

export const blobView = defineView(
  'Blob',
  {
    size: z.int(),
    encoding: z.literal('base64'),
    content: z.string(),
    sha: z.string(),
  },
  examples.Blob,
);

/** Comparison [L54]; `commit` is null without commits. */
export const comparisonView = defineView(
  'Comparison',
  {
    commit: shortCommitView.nullable(),
    commits: z.array(shortCommitView),
    diffs: z.array(diffView),
    compare_timeout: z.boolean(),
    compare_same_ref: z.boolean(),
  },
  examples.Comparison,
);

/** Contributor [L57]. */
export const contributorView = defineView(
  'Contributor',
  {
    name: z.string(),
    email: z.string(),
    commits: z.int(),
    additions: z.literal(0),
    deletions: z.literal(0),
  },
  examples.Contributor,
);

const base = '/projects/:id/repository';
const name = text({ max: 1024 });
const SEMANTIC_VERSION = '^(0|[1-9][0-9]*)(\\.(0|[1-9][0-9]*)){2}(-[0-9A-Za-z.-]+)?(\\+[0-9A-Za-z.-]+)?$';

export const getTree = defineEndpoint({
  ...readsRepository,
  id: 'repo-tree',
  method: 'GET',
  path: `${base}/tree`,
  summary: 'Files and folders of a folder: folders first, then files, then submodules',
  spec: 'api-v4 L210',
  params: {
    id: projectId,
    path: described(text({ max: 16_384 }), 'Path of the folder; the root by default'),
    ref: described(name, 'Branch, tag or commit; the default branch by default'),
    recursive: described(fallback(bool(), false), 'Also what lies in the folders below'),
  },
  pagination: 'offset',
  cursor: 'page_token',
  response: z.array(treeEntryView),
});

const blob = { id: projectId, sha: described(required(name), 'Id of the blob') };

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

/** Suffixes of an archive; `tbz`, `tbz2`, `tb2` and `bz2` are bzip2 tarballs [L213]. */
export const ARCHIVE_SUFFIXES = ['tar.gz', 'tar.bz2', 'tbz', 'tbz2', 'tb2', 'bz2', 'tar', 'zip'] as const;

const archive = {
  ...readsRepository,
  method: 'GET',
  summary: 'The files of a commit, packed',
  spec: 'api-v4 L213',
  // At most five per minute.
  mediaTypes: ['application/gzip', 'application/x-bzip2', 'application/x-tar', 'application/zip'],
} as const;
const archiveParams = {
  id: projectId,
  sha: described(name, 'Branch, tag or commit; the default branch by default'),
  path: described(text({ max: 16_384 }), 'Only this folder'),
};

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
  // Any other suffix is an unknown path: 404, not an invalid parameter.
  params: {
    ...archiveParams,
    format: described(required(name), 'Suffix of the archive', { enum: ARCHIVE_SUFFIXES }),
  },
});

export const compareRefs = defineEndpoint({
  ...readsRepository,
  id: 'repo-compare',
  method: 'GET',
  path: `${base}/compare`,
  summary: 'What is in one branch, tag or commit and not in another',
  spec: 'api-v4 L214',
  params: {
    id: projectId,
    from: described(required(name), 'Branch, tag or commit to compare with'),
    to: described(required(name), 'Branch, tag or commit that is compared'),
    from_project_id: described(int(), 'Id of the project that `from` is in'),
    straight: described(
      fallback(bool(), false),
      'Compares the two themselves, and not with their common ancestor',
    ),
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
    id: projectId,
    order_by: described(fallback(oneOf('name', 'email', 'commits'), 'commits'), 'What the order goes by'),
    sort: ascending,
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
  params: {
    id: projectId,
    refs: described(required(list(name, { max: 100 })), 'Branches, tags or commits', { minItems: 2 }),
  },
  response: detailedCommitView,
});

const changelogRange = {
  id: projectId,
  version: described(required(name), 'Semantic version that the section is about', {
    pattern: SEMANTIC_VERSION,
    examples: ['1.1.0'],
  }),
  from: described(name, 'Commit after which it begins; the last version by default'),
  to: described(name, 'Last commit of it; the end of the branch by default'),
  date: described(datetime(), 'Date of the version; now by default'),
  trailer: described(fallback(name, 'Changelog'), 'Trailer that marks the commits to list'),
};

export const changelogSectionView = defineView(
  'ChangelogSection',
  { notes: z.string() },
  examples.ChangelogSection,
);

export const getChangelog = defineEndpoint({
  ...readsRepository,
  id: 'repo-changelog-get',
  method: 'GET',
  path: `${base}/changelog`,
  summary: 'The section about a version, as the changelog would hold it; nothing is committed',
  spec: 'beyond the specification, for newer clients',
  params: changelogRange,
  otherStatuses: [413, 422],
  response: changelogSectionView,
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
    branch: described(name, 'Branch to commit to; the default branch by default'),
    file: described(fallback(text({ max: 16_384 }), 'CHANGELOG.md'), 'Path of the changelog'),
    message: described(text(), 'Message of the commit'),
  },
  otherStatuses: [422],
  response: z.literal(200).meta({ examples: [200] }),
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
