import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { described, int, required, text } from '../../params.ts';
import { issueTarget } from '../issues/issue.target.ts';
import { mergeRequestTarget } from '../merge-requests/merge-request.target.ts';
import type { TargetContract } from '../targets/target.ts';
import { discussionView, noteView } from './discussion.views.ts';
import { newNote, noteId, reading, writing } from './note.params.ts';

/** @param spec where each endpoint is specified */
export function discussionEndpoints(
  target: TargetContract,
  spec: Record<'list' | 'get' | 'start' | 'reply' | 'getNote' | 'editNote' | 'deleteNote', string>,
) {
  const { id, name, params } = target;
  const path = `${target.path}/discussions`;
  const one = {
    ...params,
    discussion_id: described(required(text({ max: 255 })), 'Id of the discussion'),
  };
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

export type DiscussionEndpoints = ReturnType<typeof discussionEndpoints>;
export const issueDiscussions = discussionEndpoints(issueTarget, {
  list: 'api-v4 L348',
  get: 'api-v4 L349',
  start: 'api-v4 L350',
  reply: 'api-v4 L351',
  getNote: 'companions 2.7',
  editNote: 'api-v4 L352',
  deleteNote: 'api-v4 L353',
});

export const mergeRequestDiscussions = discussionEndpoints(mergeRequestTarget, {
  list: 'companions 2.8',
  get: 'companions 2.8',
  start: 'companions 2.8',
  reply: 'companions 2.8',
  getNote: 'companions 2.8',
  editNote: 'companions 2.8',
  deleteNote: 'companions 2.8',
});
