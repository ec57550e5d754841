import { z } from 'zod';
import { datetimeView, defineView, userView } from '../../views.ts';
import { targetTypes } from '../targets/target.ts';
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
    noteable_type: z.enum(targetTypes),
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
