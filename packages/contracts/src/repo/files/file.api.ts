import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { described, fallback, oneOf, required, text } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { datetimeView, defineView } from '../../views.ts';
import { commitsToBranches, MAX_CONTENT_BODY, RAW_TYPES, readsRepository } from '../commits/commit.api.ts';
import examples from './file.examples.json' with { type: 'json' };

/** Repository file [L42]. */
export const fileView = defineView(
  'RepositoryFile',
  {
    file_name: z.string(),
    file_path: z.string(),
    size: z.int(),
    encoding: z.literal('base64'),
    content: z.string(),
    content_sha256: z.string(),
    ref: z.string(),
    blob_id: z.string(),
    commit_id: z.string(),
    last_commit_id: z.string(),
  },
  examples.RepositoryFile,
);

/** Blame range [L48]. */
export const blameRangeView = defineView(
  'BlameRange',
  {
    commit: defineView('BlameCommit', {
      id: z.string(),
      message: z.string(),
      parent_ids: z.array(z.string()),
      authored_date: datetimeView,
      author_name: z.string(),
      author_email: z.string(),
      committed_date: datetimeView,
      committer_name: z.string(),
      committer_email: z.string(),
    }),
    lines: z.array(z.string()),
  },
  examples.BlameRange,
);

export const writtenFileView = defineView(
  'WrittenFile',
  { file_path: z.string(), branch: z.string() },
  examples.WrittenFile,
);

const base = '/projects/:id/repository/files/:file_path';
const name = text({ max: 1024 });
const file = {
  id: projectId,
  file_path: described(required(text({ max: 16_384 })), 'URL-encoded path of the file'),
};
const at = { ...file, ref: described(required(name), 'Branch, tag or commit') };
// Without a ref, the project's HEAD [L196].
const atOrHead = { ...file, ref: described(name, 'Branch, tag or commit; the default branch by default') };

const saysWhatItIs = {
  headers: {
    'X-Service-Blob-Id': 'Id of the blob',
    'X-Service-Commit-Id': 'Id of the commit that was looked at',
    'X-Service-Content-Sha256': 'SHA-256 of the content, in hexadecimal',
    'X-Service-Encoding': 'How the content is written in JSON: base64',
    'X-Service-File-Name': 'Name of the file',
    'X-Service-File-Path': 'Path of the file from the root of the repository',
    'X-Service-Last-Commit-Id': 'Id of the newest commit that changed the file',
    'X-Service-Ref': 'The branch, tag or commit that was asked for',
    'X-Service-Size': 'Size of the content in bytes',
  },
};

export const getFile = defineEndpoint({
  ...readsRepository,
  ...saysWhatItIs,
  id: 'file-get',
  method: 'GET',
  path: base,
  summary: 'A file at a branch, tag or commit, with its content',
  spec: 'api-v4 L192',
  params: at,
  response: fileView,
});

export const headFile = defineEndpoint({
  ...readsRepository,
  ...saysWhatItIs,
  id: 'file-head',
  method: 'HEAD',
  path: base,
  summary: 'What a file is, in headers',
  spec: 'api-v4 L193',
  params: at,
});

export const getFileBlame = defineEndpoint({
  ...readsRepository,
  ...saysWhatItIs,
  id: 'file-blame',
  method: 'GET',
  path: `${base}/blame`,
  summary: 'Which commit each line of a file comes from',
  spec: 'api-v4 L194',
  params: at,
  response: z.array(blameRangeView),
});

export const headFileBlame = defineEndpoint({
  ...readsRepository,
  ...saysWhatItIs,
  id: 'file-blame-head',
  method: 'HEAD',
  path: `${base}/blame`,
  summary: 'What a file is, in headers',
  spec: 'api-v4 L195',
  params: at,
});

export const getRawFile = defineEndpoint({
  ...readsRepository,
  id: 'file-raw',
  method: 'GET',
  path: `${base}/raw`,
  summary: 'The bytes of a file',
  spec: 'api-v4 L196',
  params: atOrHead,
  otherStatuses: [304, 413],
  mediaTypes: RAW_TYPES,
});

/** It answers at `/<path of the project>/-/raw/…` too, where texts and people link files. */
export const getRawFileAt = defineEndpoint({
  ...readsRepository,
  id: 'file-raw-at',
  method: 'GET',
  path: '/projects/:id/repository/raw/*ref_and_path',
  summary: 'The bytes of a file, by one path that begins with the branch, tag or commit',
  spec: 'companions 2.5',
  params: {
    id: projectId,
    ref_and_path: described(
      required(text({ max: 16_384 })),
      'The longest ref that it can begin with counts',
      {
        examples: ['main/README.md'],
      },
    ),
  },
  otherStatuses: [304, 413],
  mediaTypes: RAW_TYPES,
});

export const headRawFile = defineEndpoint({
  ...readsRepository,
  ...saysWhatItIs,
  id: 'file-raw-head',
  method: 'HEAD',
  path: `${base}/raw`,
  summary: 'What a file is, in headers',
  spec: 'api-v4 L197',
  params: atOrHead,
});

const commit = {
  ...file,
  branch: described(required(name), 'Branch to commit to', { examples: ['main'] }),
  start_branch: described(name, 'Branch that a new `branch` begins at'),
  author_email: described(name, 'E-mail address of the author, by default that of the caller'),
  author_name: described(name, 'Name of the author, by default that of the caller'),
  commit_message: described(required(text()), 'Message of the commit', { examples: ['Describe the engine'] }),
};
const write = {
  ...commit,
  encoding: described(fallback(oneOf('base64', 'text'), 'text'), 'How `content` is written'),
  content: described(required(text({ max: MAX_CONTENT_BODY }), { blank: true }), 'Content of the file', {
    examples: ['Hello'],
  }),
};
const writes = {
  ...commitsToBranches,
  path: base,
  maxBody: MAX_CONTENT_BODY,
} as const;

export const createFile = defineEndpoint({
  ...writes,
  id: 'file-create',
  method: 'POST',
  summary: 'Commit a new file',
  spec: 'api-v4 L198',
  params: write,
  status: 201,
  response: writtenFileView,
});

export const updateFile = defineEndpoint({
  ...writes,
  id: 'file-update',
  method: 'PUT',
  summary: 'Commit new content of a file',
  spec: 'api-v4 L199',
  params: {
    ...write,
    last_commit_id: described(name, 'Refuses the change where a newer commit changed the file'),
  },
  response: writtenFileView,
});

export const deleteFile = defineEndpoint({
  ...writes,
  id: 'file-delete',
  method: 'DELETE',
  summary: 'Commit that a file is gone',
  spec: 'api-v4 L200',
  params: {
    ...commit,
    last_commit_id: described(name, 'Refuses the change where a newer commit changed the file'),
  },
  status: 204,
});

export const fileEndpoints = [
  getFile,
  headFile,
  getFileBlame,
  headFileBlame,
  getRawFile,
  headRawFile,
  getRawFileAt,
  createFile,
  updateFile,
  deleteFile,
];
