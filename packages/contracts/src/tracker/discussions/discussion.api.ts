import { z } from 'zod';
import { atLeastOne, defineEndpoint, project } from '../../endpoint.ts';
import { bool, datetime, described, fallback, int, oneOf, required, text } from '../../params.ts';
import { descending, issueIid, projectId } from '../../shared/common.params.ts';
import { datetimeView, defineView, userView } from '../../views.ts';
import examples from './discussion.examples.json' with { type: 'json' };

/** Note [L99]. */
export const noteView = defineView(
  'Note',
  {
    id: z.int(),
    type: z.literal('DiscussionNote').nullable(),
    body: z.string(),
    attachment: z.string().nullable(),
    author: userView,
    created_at: datetimeView,
    updated_at: datetimeView,
    system: z.boolean(),
    noteable_id: z.int(),
    noteable_type: z.enum(['Issue', 'MergeRequest']),
    noteable_iid: z.int(),
    resolvable: z.boolean(),
    confidential: z.boolean(),
    commands_changes: defineView('NoteCommandChanges', { promote_to_epic: z.boolean().optional() }),
  },
  examples.Note,
);

/** Discussion [L99]. */
export const discussionView = defineView(
  'Discussion',
  {
    id: z.string(),
    individual_note: z.boolean(),
    notes: z.array(noteView),
  },
  examples.Discussion,
);

const onIssue = { id: projectId, issue_iid: issueIid };
const discussions = '/projects/:id/issues/:issue_iid/discussions';
const notes = '/projects/:id/issues/:issue_iid/notes';

// Whoever sees an issue reads what is said about it, and may comment once signed in; the rest depends on the issue.
const reading = { service: 'tracker', access: project('anyone', { feature: 'issues' }) } as const;
const writing = {
  service: 'tracker',
  access: project('anyone', { feature: 'issues', signedIn: true }),
} as const;

/** Honoured for administrators and owners only, else ignored [L350]. */
const createdAt = {
  created_at: described(datetime(), 'Time of the note instead of now, for administrators and owners'),
};

export const listIssueDiscussions = defineEndpoint({
  ...reading,
  id: 'issue-discussion-list',
  method: 'GET',
  path: discussions,
  summary: 'Discussions of an issue, the oldest first',
  spec: 'api-v4 L348',
  params: onIssue,
  pagination: 'offset',
  response: z.array(discussionView),
});

const oneDiscussion = {
  ...onIssue,
  discussion_id: described(required(text({ max: 255 })), 'Id of the discussion'),
};

export const getIssueDiscussion = defineEndpoint({
  ...reading,
  id: 'issue-discussion-get',
  method: 'GET',
  path: `${discussions}/:discussion_id`,
  summary: 'One discussion of an issue',
  spec: 'api-v4 L349',
  params: oneDiscussion,
  response: discussionView,
});

export const createIssueDiscussion = defineEndpoint({
  ...writing,
  id: 'issue-discussion-create',
  method: 'POST',
  path: discussions,
  summary: 'Start a discussion on an issue',
  spec: 'api-v4 L350',
  params: {
    ...onIssue,
    body: described(required(text()), 'What the note says, in Markdown', {
      pattern: '\\S',
      examples: ['Since when?'],
    }),
    ...createdAt,
  },
  status: 201,
  response: discussionView,
});

export const createIssueDiscussionNote = defineEndpoint({
  ...writing,
  id: 'issue-discussion-note-create',
  method: 'POST',
  path: `${discussions}/:discussion_id/notes`,
  summary: 'Reply in a discussion of an issue',
  spec: 'api-v4 L351',
  // `note_id` is listed as required there, but no note has an id before it exists: taken and left unused.
  params: {
    ...oneDiscussion,
    body: described(required(text()), 'What the note says, in Markdown', {
      pattern: '\\S',
      examples: ['Since when?'],
    }),
    ...createdAt,
    note_id: described(int(), 'Taken and not used'),
  },
  status: 201,
  response: noteView,
});

const oneDiscussionNote = { ...oneDiscussion, note_id: described(required(int()), 'Id of the note') };

export const getIssueDiscussionNote = defineEndpoint({
  ...reading,
  id: 'issue-discussion-note-get',
  method: 'GET',
  path: `${discussions}/:discussion_id/notes/:note_id`,
  summary: 'One note of a discussion',
  spec: 'companions 2.7',
  params: oneDiscussionNote,
  response: noteView,
});

export const updateIssueDiscussionNote = defineEndpoint({
  ...writing,
  id: 'issue-discussion-note-update',
  method: 'PUT',
  path: `${discussions}/:discussion_id/notes/:note_id`,
  summary: 'Change what a note of a discussion says',
  spec: 'api-v4 L352',
  params: {
    ...oneDiscussionNote,
    body: described(required(text()), 'What the note says, in Markdown', {
      pattern: '\\S',
      examples: ['Since when?'],
    }),
  },
  response: noteView,
});

export const deleteIssueDiscussionNote = defineEndpoint({
  ...writing,
  id: 'issue-discussion-note-delete',
  method: 'DELETE',
  path: `${discussions}/:discussion_id/notes/:note_id`,
  summary: 'Delete a note of a discussion, and the discussion with its last one',
  spec: 'api-v4 L353',
  params: oneDiscussionNote,
  status: 204,
  otherStatuses: [412],
});

export const listIssueNotes = defineEndpoint({
  ...reading,
  id: 'issue-note-list',
  method: 'GET',
  path: notes,
  summary: 'Notes of an issue, in discussions or alone',
  spec: 'companions 2.7',
  params: {
    ...onIssue,
    order_by: described(fallback(oneOf('created_at', 'updated_at'), 'created_at'), 'What the order goes by'),
    sort: descending,
    activity_filter: described(
      fallback(oneOf('all_notes', 'only_comments', 'only_activity'), 'all_notes'),
      'All notes, those of people, or those of the system',
    ),
  },
  pagination: 'offset',
  response: z.array(noteView),
});

/** Also the specification's way to promote an issue to an epic, by `/promote` on a line of its own [L244]. */
export const createIssueNote = defineEndpoint({
  ...writing,
  id: 'issue-promote-note',
  method: 'POST',
  path: notes,
  summary: 'Comment on an issue',
  spec: 'api-v4 L244, companions 2.7',
  params: {
    ...onIssue,
    body: described(required(text()), 'What the note says, in Markdown', {
      pattern: '\\S',
      examples: ['Since when?'],
    }),
    confidential: described(bool(), 'Whether only members from reporter on may read it'),
    ...createdAt,
  },
  status: 201,
  response: noteView,
});

const oneNote = { ...onIssue, note_id: described(required(int()), 'Id of the note') };

export const getIssueNote = defineEndpoint({
  ...reading,
  id: 'issue-note-get',
  method: 'GET',
  path: `${notes}/:note_id`,
  summary: 'One note of an issue',
  spec: 'companions 2.7',
  params: oneNote,
  response: noteView,
});

export const updateIssueNote = defineEndpoint({
  ...writing,
  id: 'issue-note-update',
  method: 'PUT',
  path: `${notes}/:note_id`,
  summary: 'Change what a note says, or who may read it',
  spec: 'companions 2.7',
  params: {
    ...oneNote,
    body: described(text(), 'What the note says, in Markdown', { pattern: '\\S', examples: ['Since when?'] }),
    confidential: described(bool(), 'Whether only members from reporter on may read it'),
  },
  rules: [atLeastOne('body', 'confidential')],
  response: noteView,
});

export const deleteIssueNote = defineEndpoint({
  ...writing,
  id: 'issue-note-delete',
  method: 'DELETE',
  path: `${notes}/:note_id`,
  summary: 'Delete a note of an issue',
  spec: 'companions 2.7',
  params: oneNote,
  status: 204,
  otherStatuses: [412],
});

export const discussionEndpoints = [
  listIssueDiscussions,
  getIssueDiscussion,
  createIssueDiscussion,
  createIssueDiscussionNote,
  getIssueDiscussionNote,
  updateIssueDiscussionNote,
  deleteIssueDiscussionNote,
  listIssueNotes,
  createIssueNote,
  getIssueNote,
  updateIssueNote,
  deleteIssueNote,
];
