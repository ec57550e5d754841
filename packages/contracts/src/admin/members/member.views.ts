import { z } from 'zod';
import { date, described, int, list, nullable, oneOfInts, required, text } from '../../params.ts';
import { datetimeView, dateView, defineView, userView } from '../../views.ts';
import examples from './member.examples.json' with { type: 'json' };

/** Access levels a client may name [L118]; those of them that cannot be given are refused in words of their own. */
const LEVELS = [0, 5, 10, 20, 30, 40, 50] as const;
/** Access levels that a membership of a group or a project can have [L118]. */
export const GROUP_LEVELS: readonly number[] = [5, 10, 20, 30, 40, 50];
export const PROJECT_LEVELS: readonly number[] = [10, 20, 30, 40];

/** Member in a list [L115]. */
export const memberView = defineView(
  'Member',
  {
    ...userView.shape,
    access_level: z.int(),
    expires_at: dateView.nullable(),
    /** Only of users with a public email. */
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
/** What came of adding a comma-separated list of users: who could not be added is named with the reason. */
export const addedMembersView = defineView('AddedMembers', {
  status: z.enum(['success', 'error']),
  message: z.record(z.string(), z.string()).optional(),
});

/** Parameters of the endpoints of groups' and projects' members alike. */
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
  expires_at: described(nullable(date()), 'Last day of the membership; null for no end'),
});
export const addMemberParams = {
  user_id: described(required(list(int(), { max: 100 })), 'Id of a user, or several with commas between', {
    examples: [2],
  }),
  invite_source: described(text({ max: 255 }), 'Taken and not kept'),
  areas_of_focus: described(text(), 'Taken and not kept'),
};
