import { z } from 'zod';
import { date, described, int, list, nullable, oneOfInts, required, text } from '../../params.ts';
import { datetimeView, dateView, defineView, userView } from '../../views.ts';
import examples from './member.examples.json' with { type: 'json' };

/** Access levels that a client may name [L118]. Those that cannot be given are refused with a text of their own. */
const LEVELS = [0, 5, 10, 20, 30, 40, 50] as const;
/** Access levels of a membership in a group or project [L118]. */
export const GROUP_LEVELS: readonly number[] = [5, 10, 20, 30, 40, 50];
export const PROJECT_LEVELS: readonly number[] = [10, 20, 30, 40];

/** Member in a list [L115]. */
export const memberView = defineView(
  'Member',
  {
    ...userView.shape,
    access_level: z.int(),
    expires_at: dateView.nullable(),
    /** Present for users with a public email. */
    email: z.string().optional(),
  },
  examples.Member,
);
/** Member in the single view [L115]. */
export const singleMemberView = defineView(
  'MemberDetail',
  {
    ...memberView.shape,
    created_at: datetimeView,
  },
  examples.MemberDetail,
);
/** The result of adding a comma-separated list of users; names each failed user with the reason. */
export const addedMembersView = defineView(
  'AddedMembers',
  { status: z.enum(['success', 'error']), message: z.record(z.string(), z.string()).optional() },
  examples.AddedMembers,
);

/** Parameters shared by the members of groups and of projects. */
export const memberListParams = {
  query: described(text({ max: 255 }), 'Only members whose name or username holds this'),
  user_ids: described(list(int()), 'Only these users'),
};
export const membershipParams = (levels: readonly number[]) => ({
  access_level: described(
    required(oneOfInts(...LEVELS)),
    '10 guest, 20 reporter, 30 developer, 40 maintainer; in a group also 5 minimal access and 50 owner',
    { enum: levels, examples: [30] },
  ),
  expires_at: described(nullable(date()), 'First day without the membership; null for no end'),
});
export const addMemberParams = {
  user_id: described(required(list(int(), { max: 100 })), 'Id of a user, or several with commas between', {
    examples: [2],
  }),
  invite_source: described(text({ max: 255 }), 'Taken and not kept'),
  areas_of_focus: described(text(), 'Taken and not kept'),
};
