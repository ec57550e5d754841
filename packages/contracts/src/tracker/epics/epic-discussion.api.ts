import { discussionEndpoints } from '../discussions/discussion.api.ts';
import { noteEndpoints } from '../discussions/note.api.ts';
import { discussedEpic } from './epic.target.ts';

const spec = 'api-v4 L355';

/** The specification has the list, and leaves open what the others look like: they are those of issues. */
export const epicDiscussions = discussionEndpoints(discussedEpic, {
  ...{ list: spec, get: spec, start: spec, reply: spec, getNote: spec, editNote: spec, deleteNote: spec },
});

export const epicNotes = noteEndpoints(discussedEpic, {
  ...{ list: spec, create: spec, get: spec, edit: spec, delete: spec },
});

export const epicDiscussionEndpoints = [...Object.values(epicDiscussions), ...Object.values(epicNotes)];
