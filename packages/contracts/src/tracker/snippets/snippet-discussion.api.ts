import { discussionEndpoints } from '../discussions/discussion.api.ts';
import { noteEndpoints } from '../discussions/note.api.ts';
import { discussedSnippet } from './snippet.target.ts';

export const snippetDiscussions = discussionEndpoints(discussedSnippet, {
  list: 'api-v4 L348',
  get: 'api-v4 L349',
  start: 'api-v4 L350',
  reply: 'api-v4 L351',
  getNote: 'companions 2.7',
  editNote: 'api-v4 L352',
  deleteNote: 'api-v4 L353',
});

const spec = 'companions 2.7';
export const snippetNotes = noteEndpoints(discussedSnippet, {
  ...{ list: spec, create: spec, get: spec, edit: spec, delete: spec },
});

export const snippetDiscussionEndpoints = [
  ...Object.values(snippetDiscussions),
  ...Object.values(snippetNotes),
];
