import { z } from 'zod';
import { datetimeView, dateView, defineView, userView } from '../../views.ts';
import { suggestionView } from '../suggestions/suggestion.views.ts';
import { discussedTypes } from '../targets/target.ts';
import examples from './discussion.examples.json' with { type: 'json' };

const rangeEndView = defineView('DiffPositionRangeEnd', {
  line_code: z.string().nullable(),
  type: z.enum(['old', 'new']).nullable(),
  old_line: z.int().nullable(),
  new_line: z.int().nullable(),
});

/** Where a note is in a diff (companions 3); the last four for a point of an image. */
const positionView = defineView('DiffPosition', {
  base_sha: z.string(),
  start_sha: z.string(),
  head_sha: z.string(),
  old_path: z.string(),
  new_path: z.string(),
  position_type: z.enum(['text', 'image']),
  old_line: z.int().nullable(),
  new_line: z.int().nullable(),
  line_range: defineView('DiffPositionRange', { start: rangeEndView, end: rangeEndView }).nullable(),
  width: z.int().optional(),
  height: z.int().optional(),
  x: z.int().optional(),
  y: z.int().optional(),
});

/** What commands in a text changed, by the names of parameters; what they did not touch is absent. */
const commandChangesView = defineView(
  'NoteCommandChanges',
  z
    .object({
      promote_to_epic: z.boolean(),
      title: z.string(),
      state_event: z.enum(['close', 'reopen']),
      labels: z.array(z.string()),
      add_labels: z.array(z.string()),
      remove_labels: z.array(z.string()),
      assignee_ids: z.array(z.int()),
      reviewer_ids: z.array(z.int()),
      milestone_id: z.int().nullable(),
      iteration_id: z.int().nullable(),
      due_date: dateView.nullable(),
      weight: z.int().nullable(),
      confidential: z.boolean(),
      discussion_locked: z.boolean(),
      target_branch: z.string(),
      time_estimate: z.int(),
      spend_time: defineView('NoteCommandTime', {
        duration: z.union([z.int(), z.literal('reset')]),
        user_id: z.int().optional(),
      }),
      subscription_event: z.enum(['subscribe', 'unsubscribe']),
      todo_event: z.enum(['add', 'done']),
      emoji_award: z.string(),
      merge: z.string(),
      rebase: z.boolean(),
    })
    .partial().shape,
);

/** The answer to a text that is nothing but commands: there is no note. */
export const noteCommandsView = defineView(
  'NoteCommands',
  { commands_changes: commandChangesView, summary: z.array(z.string()) },
  examples.NoteCommands,
);

/** Note [L99]. */
export const noteView = defineView(
  'Note',
  {
    id: z.int(),
    type: z.enum(['DiscussionNote', 'DiffNote']).nullable(),
    body: z.string(),
    attachment: z.string().nullable(),
    author: userView,
    created_at: datetimeView,
    updated_at: datetimeView,
    system: z.boolean(),
    /** Both null for a commit. */
    noteable_id: z.int().nullable(),
    noteable_type: z.enum(discussedTypes),
    noteable_iid: z.int().nullable(),
    resolvable: z.boolean(),
    /** These three in notes on a diff. */
    position: positionView.optional(),
    commit_id: z.string().nullable().optional(),
    suggestions: z.array(suggestionView).optional(),
    /** These three in notes that are resolvable. */
    resolved: z.boolean().optional(),
    resolved_by: userView.nullable().optional(),
    resolved_at: datetimeView.nullable().optional(),
    confidential: z.boolean(),
    commands_changes: commandChangesView,
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
