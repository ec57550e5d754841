import { project } from '../../endpoint.ts';
import { described, required, text } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { discussionEndpoints } from '../discussions/discussion.api.ts';
import { newNote } from '../discussions/note.params.ts';
import { position } from '../discussions/position.params.ts';
import type { DiscussedContract } from '../targets/target.ts';

const params = {
  id: projectId,
  sha: described(
    required(text({ max: 1024 })),
    'Id of the commit, an abbreviation of it, or a branch or tag',
  ),
};

/** A commit can be discussed, and is no target: nobody opens, closes or assigns it. */
export const discussedCommit = {
  id: 'commit',
  name: 'a commit',
  path: '/projects/:id/repository/commits/:sha',
  params,
  feature: 'repository',
  signedIn: false,
} as const satisfies DiscussedContract;

const spec = 'companions 2.5';
const endpoints = discussionEndpoints(discussedCommit, {
  ...{ list: spec, get: spec, start: spec, reply: spec, getNote: spec, editNote: spec, deleteNote: spec },
});

export const commitDiscussions = {
  ...endpoints,
  start: { ...endpoints.start, params: { ...discussedCommit.params, ...newNote, position } },
};

export const readsCommit = {
  service: 'tracker',
  access: project('anyone', { feature: discussedCommit.feature }),
} as const;
export const commentsOnCommit = {
  service: 'tracker',
  access: project('anyone', { feature: discussedCommit.feature, signedIn: true }),
} as const;
