import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { described, fallback, int, oneOf, required, text } from '../../params.ts';
import { datetimeView, defineView, userView } from '../../views.ts';
import { says } from '../discussions/note.params.ts';
import examples from './commit-comment.examples.json' with { type: 'json' };
import { commentsOnCommit, discussedCommit, readsCommit } from './commit-discussion.api.ts';

/** A note on a commit in its older form (companions 2.5): the last three are null where it is on no line. */
export const commitCommentView = defineView(
  'CommitComment',
  {
    note: z.string(),
    path: z.string().nullable(),
    line: z.int().nullable(),
    line_type: z.enum(['new', 'old']).nullable(),
    author: userView,
    created_at: datetimeView,
  },
  examples.CommitComment,
);

const path = `${discussedCommit.path}/comments`;

export const listCommitComments = defineEndpoint({
  ...readsCommit,
  id: 'commit-comment-list',
  method: 'GET',
  path,
  summary: 'Comments on a commit, the oldest first',
  spec: 'companions 2.5',
  params: discussedCommit.params,
  pagination: 'offset',
  response: z.array(commitCommentView),
});

export const createCommitComment = defineEndpoint({
  ...commentsOnCommit,
  id: 'commit-comment-create',
  method: 'POST',
  path,
  summary: 'Comment on a commit, or on a line that it changed',
  spec: 'companions 2.5',
  params: {
    ...discussedCommit.params,
    note: described(required(text()), 'What the comment says, in Markdown', says),
    path: described(text({ max: 4096 }), 'Path of the file, for a comment on a line'),
    line: described(int({ min: 1 }), 'Number of the line; needed with `path`'),
    line_type: described(
      fallback(oneOf('new', 'old'), 'new'),
      'Whether it is a line that the commit added or one that it removed',
    ),
  },
  status: 201,
  response: commitCommentView,
});

export const commitCommentEndpoints = [listCommitComments, createCommitComment];
