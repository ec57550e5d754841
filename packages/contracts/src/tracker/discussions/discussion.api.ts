import { z } from 'zod';
import { atLeastOne, defineEndpoint, exclusive } from '../../endpoint.ts';
import { bool, described, int, required, text } from '../../params.ts';
import { issueTarget } from '../issues/issue.target.ts';
import { mergeRequestTarget } from '../merge-requests/merge-request.target.ts';
import type { DiscussedContract, TargetContract } from '../targets/target.ts';
import { discussionView, noteCommandsView, noteView } from './discussion.views.ts';
import { newNote, noteId, reading, SAYS, says, writing } from './note.params.ts';
import { position } from './position.params.ts';

const discussionId = described(required(text({ max: 255 })), 'Id of the discussion');

/** @param spec where each endpoint is specified */
export function discussionEndpoints(
  target: DiscussedContract,
  spec: Record<'list' | 'get' | 'start' | 'reply' | 'getNote' | 'editNote' | 'deleteNote', string>,
) {
  const { id, name, params } = target;
  const path = `${target.path}/discussions`;
  const one = { ...params, discussion_id: discussionId };
  const oneNote = { ...one, note_id: noteId };
  return {
    list: defineEndpoint({
      ...reading(target),
      id: `${id}-discussion-list`,
      method: 'GET',
      path,
      summary: `Discussions of ${name}, the oldest first`,
      spec: spec.list,
      params,
      pagination: 'offset',
      response: z.array(discussionView),
    }),
    get: defineEndpoint({
      ...reading(target),
      id: `${id}-discussion-get`,
      method: 'GET',
      path: `${path}/:discussion_id`,
      summary: `One discussion of ${name}`,
      spec: spec.get,
      params: one,
      response: discussionView,
    }),
    start: defineEndpoint({
      ...writing(target),
      id: `${id}-discussion-create`,
      method: 'POST',
      path,
      summary: `Start a discussion on ${name}`,
      spec: spec.start,
      params: { ...params, ...newNote },
      status: 201,
      response: discussionView,
      otherResponses: { 202: noteCommandsView },
    }),
    reply: defineEndpoint({
      ...writing(target),
      id: `${id}-discussion-note-create`,
      method: 'POST',
      path: `${path}/:discussion_id/notes`,
      summary: `Reply in a discussion of ${name}`,
      spec: spec.reply,
      // The specification requires `note_id`, but a new note has no id: accepted and ignored.
      params: { ...one, ...newNote, note_id: described(int(), 'Taken and not used') },
      status: 201,
      response: noteView,
      otherResponses: { 202: noteCommandsView },
    }),
    getNote: defineEndpoint({
      ...reading(target),
      id: `${id}-discussion-note-get`,
      method: 'GET',
      path: `${path}/:discussion_id/notes/:note_id`,
      summary: 'One note of a discussion',
      spec: spec.getNote,
      params: oneNote,
      response: noteView,
    }),
    editNote: defineEndpoint({
      ...writing(target),
      id: `${id}-discussion-note-update`,
      method: 'PUT',
      path: `${path}/:discussion_id/notes/:note_id`,
      summary: 'Change what a note of a discussion says',
      spec: spec.editNote,
      params: { ...oneNote, body: newNote.body },
      response: noteView,
    }),
    deleteNote: defineEndpoint({
      ...writing(target),
      id: `${id}-discussion-note-delete`,
      method: 'DELETE',
      path: `${path}/:discussion_id/notes/:note_id`,
      summary: 'Delete a note of a discussion, and the discussion with its last one',
      spec: spec.deleteNote,
      params: oneNote,
      status: 204,
      otherStatuses: [412],
    }),
  };
}

export type DiscussionEndpoints = Omit<ReturnType<typeof discussionEndpoints>, 'start' | 'editNote'>;
type PlainEndpoints = Pick<ReturnType<typeof discussionEndpoints>, 'start' | 'editNote'>;
export type StartEndpoint = PlainEndpoints['start'] | ThreadEndpoints['start'];
export type EditNoteEndpoint = PlainEndpoints['editNote'] | ThreadEndpoints['editNote'];

const resolved = 'Whether the thread is resolved';

/** The endpoints of kinds whose threads are on lines, and resolved: one more, and two in place of their namesakes. */
export function threadEndpoints(
  target: TargetContract,
  spec: Record<'start' | 'resolve' | 'editNote', string>,
) {
  const { id, name, params } = target;
  const path = `${target.path}/discussions/:discussion_id`;
  const one = { ...params, discussion_id: discussionId };
  return {
    start: defineEndpoint({
      ...writing(target),
      id: `${id}-discussion-create`,
      method: 'POST',
      path: `${target.path}/discussions`,
      summary: `Start a thread on ${name}, or on a line of its diff`,
      spec: spec.start,
      params: {
        ...params,
        ...newNote,
        commit_id: described(text({ max: 64 }), 'Id of the commit that it is about'),
        position,
      },
      status: 201,
      response: discussionView,
      otherResponses: { 202: noteCommandsView },
    }),
    resolve: defineEndpoint({
      ...writing(target),
      id: `${id}-discussion-resolve`,
      method: 'PUT',
      path,
      summary: `Resolve a thread on ${name}, or open it again`,
      spec: spec.resolve,
      params: { ...one, resolved: described(required(bool()), resolved, { examples: [true] }) },
      response: discussionView,
    }),
    editNote: defineEndpoint({
      ...writing(target),
      id: `${id}-discussion-note-update`,
      method: 'PUT',
      path: `${path}/notes/:note_id`,
      summary: 'Change what a note of a discussion says, or resolve its thread',
      spec: spec.editNote,
      params: {
        ...one,
        note_id: noteId,
        body: described(text(), SAYS, says),
        resolved: described(bool(), `${resolved} that the note is in`),
      },
      rules: [exclusive('body', 'resolved'), atLeastOne('body', 'resolved')],
      response: noteView,
    }),
  };
}

export type ThreadEndpoints = ReturnType<typeof threadEndpoints>;
export const issueDiscussions = discussionEndpoints(issueTarget, {
  list: 'api-v4 L348',
  get: 'api-v4 L349',
  start: 'api-v4 L350',
  reply: 'api-v4 L351',
  getNote: 'companions 2.7',
  editNote: 'api-v4 L352',
  deleteNote: 'api-v4 L353',
});

const ofMergeRequests = 'companions 2.8';
export const mergeRequestDiscussions = {
  ...discussionEndpoints(mergeRequestTarget, {
    list: ofMergeRequests,
    get: ofMergeRequests,
    start: ofMergeRequests,
    reply: ofMergeRequests,
    getNote: ofMergeRequests,
    editNote: ofMergeRequests,
    deleteNote: ofMergeRequests,
  }),
  ...threadEndpoints(mergeRequestTarget, {
    start: ofMergeRequests,
    resolve: ofMergeRequests,
    editNote: ofMergeRequests,
  }),
};
