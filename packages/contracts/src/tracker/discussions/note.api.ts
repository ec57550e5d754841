import { z } from 'zod';
import { atLeastOne, defineEndpoint } from '../../endpoint.ts';
import { bool, described, fallback, oneOf, text } from '../../params.ts';
import { descending } from '../../shared/common.params.ts';
import { issueTarget } from '../issues/issue.target.ts';
import { mergeRequestTarget } from '../merge-requests/merge-request.target.ts';
import type { DiscussedContract } from '../targets/target.ts';
import { noteCommandsView, noteView } from './discussion.views.ts';
import { newNote, noteId, reading, SAYS, says, writing } from './note.params.ts';

const confidential = described(bool(), 'Whether only members from reporter on may read it');

/** Notes apart from their discussions. @param spec where each endpoint is specified */
export function noteEndpoints(
  target: DiscussedContract,
  spec: Record<'list' | 'create' | 'get' | 'edit' | 'delete', string>,
) {
  const { id, name, params } = target;
  const path = `${target.path}/notes`;
  const one = { ...params, note_id: noteId };
  return {
    list: defineEndpoint({
      ...reading(target),
      id: `${id}-note-list`,
      method: 'GET',
      path,
      summary: `Notes of ${name}, in discussions or alone`,
      spec: spec.list,
      params: {
        ...params,
        order_by: described(
          fallback(oneOf('created_at', 'updated_at'), 'created_at'),
          'What the order goes by',
        ),
        sort: descending,
        activity_filter: described(
          fallback(oneOf('all_notes', 'only_comments', 'only_activity'), 'all_notes'),
          'All notes, those of people, or those of the system',
        ),
      },
      pagination: 'offset',
      response: z.array(noteView),
    }),
    create: defineEndpoint({
      ...writing(target),
      id: `${id}-note-create`,
      method: 'POST',
      path,
      summary: `Comment on ${name}; 202 where the text is nothing but commands`,
      spec: spec.create,
      params: { ...params, body: newNote.body, confidential, created_at: newNote.created_at },
      status: 201,
      response: noteView,
      otherResponses: { 202: noteCommandsView },
    }),
    get: defineEndpoint({
      ...reading(target),
      id: `${id}-note-get`,
      method: 'GET',
      path: `${path}/:note_id`,
      summary: `One note of ${name}`,
      spec: spec.get,
      params: one,
      response: noteView,
    }),
    edit: defineEndpoint({
      ...writing(target),
      id: `${id}-note-update`,
      method: 'PUT',
      path: `${path}/:note_id`,
      summary: 'Change what a note says, or who may read it',
      spec: spec.edit,
      params: { ...one, body: described(text(), SAYS, says), confidential },
      rules: [atLeastOne('body', 'confidential')],
      response: noteView,
    }),
    delete: defineEndpoint({
      ...writing(target),
      id: `${id}-note-delete`,
      method: 'DELETE',
      path: `${path}/:note_id`,
      summary: `Delete a note of ${name}`,
      spec: spec.delete,
      params: one,
      status: 204,
      otherStatuses: [412],
    }),
  };
}

export type NoteEndpoints = ReturnType<typeof noteEndpoints>;
const notes = noteEndpoints(issueTarget, {
  list: 'companions 2.7',
  create: 'api-v4 L244, companions 2.7',
  get: 'companions 2.7',
  edit: 'companions 2.7',
  delete: 'companions 2.7',
});
/** A new note can also promote an issue to an epic, by `/promote` on a line of its own: this id is that row's [L244]. */
export const issueNotes: NoteEndpoints = {
  ...notes,
  create: { ...notes.create, id: 'issue-promote-note' },
};

export const mergeRequestNotes = noteEndpoints(mergeRequestTarget, {
  list: 'companions 8',
  create: 'companions 8',
  get: 'companions 8',
  edit: 'companions 8',
  delete: 'companions 8',
});
