import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { described, int, required, text } from '../../params.ts';
import { datetimeView, defineView, userView } from '../../views.ts';
import { noteId, reading, writing } from '../discussions/note.params.ts';
import { issueTarget } from '../issues/issue.target.ts';
import { mergeRequestTarget } from '../merge-requests/merge-request.target.ts';
import { type TargetContract, targetTypes } from '../targets/target.ts';
import examples from './award-emoji.examples.json' with { type: 'json' };

/** Award emoji (companions 2.7). */
export const awardView = defineView(
  'AwardEmoji',
  {
    id: z.int(),
    name: z.string(),
    user: userView,
    created_at: datetimeView,
    updated_at: datetimeView,
    awardable_id: z.int(),
    awardable_type: z.enum([...targetTypes, 'Note']),
  },
  examples.AwardEmoji,
);

/** Names of emoji as this API family writes them; `+1` and `-1` are accepted for thumbs. */
const emojiName = described(required(text({ max: 64 })), 'Name of the emoji, without colons', {
  pattern: '^[a-z0-9_+-]+$',
  examples: ['thumbsup'],
});

/** The endpoints of what a target, or a note on it, is awarded. @param on where the awards are: `{ id: 'issue-note', … }` */
function awardEndpoints(
  target: TargetContract,
  on: { id: string; name: string; path: string; ofNote: boolean },
) {
  const params = { ...target.params, ...(on.ofNote && { note_id: noteId }) };
  const path = `${on.path}/award_emoji`;
  const one = { ...params, award_id: described(required(int()), 'Id of the award') };
  const spec = 'companions 2.7';
  return {
    list: defineEndpoint({
      ...reading(target),
      id: `${on.id}-award-list`,
      method: 'GET',
      path,
      summary: `Reactions to ${on.name}, the oldest first`,
      spec,
      params,
      pagination: 'offset',
      response: z.array(awardView),
    }),
    get: defineEndpoint({
      ...reading(target),
      id: `${on.id}-award-get`,
      method: 'GET',
      path: `${path}/:award_id`,
      summary: `One reaction to ${on.name}`,
      spec,
      params: one,
      response: awardView,
    }),
    create: defineEndpoint({
      ...writing(target),
      id: `${on.id}-award-create`,
      method: 'POST',
      path,
      summary: `React to ${on.name}`,
      spec,
      params: { ...params, name: emojiName },
      status: 201,
      response: awardView,
    }),
    delete: defineEndpoint({
      ...writing(target),
      id: `${on.id}-award-delete`,
      method: 'DELETE',
      path: `${path}/:award_id`,
      summary: 'Take a reaction back',
      spec,
      params: one,
      status: 204,
    }),
  };
}

export type AwardEndpoints = ReturnType<typeof awardEndpoints>;

const targetAwards = (target: TargetContract): AwardEndpoints =>
  awardEndpoints(target, { id: target.id, name: target.name, path: target.path, ofNote: false });

const noteAwards = (target: TargetContract): AwardEndpoints =>
  awardEndpoints(target, {
    id: `${target.id}-note`,
    name: `a note on ${target.name}`,
    path: `${target.path}/notes/:note_id`,
    ofNote: true,
  });

const awardsOn = (target: TargetContract) => ({
  onTarget: targetAwards(target),
  onNotes: noteAwards(target),
});

export const issueAwards = awardsOn(issueTarget);
export const mergeRequestAwards = awardsOn(mergeRequestTarget);
