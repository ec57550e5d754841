import { z } from 'zod';
import { datetimeView, defineView, userView } from '../../views.ts';
import { targetTypes } from '../targets/target.ts';
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
    noteable_id: z.int(),
    noteable_type: z.enum(targetTypes),
    noteable_iid: z.int(),
    resolvable: z.boolean(),
    /** Both in notes on a diff. */
    position: positionView.optional(),
    commit_id: z.string().nullable().optional(),
    /** These three in notes that are resolvable. */
    resolved: z.boolean().optional(),
    resolved_by: userView.nullable().optional(),
    resolved_at: datetimeView.nullable().optional(),
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
