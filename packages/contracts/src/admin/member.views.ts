import { z } from 'zod';
import { date, idOrPath, int, list, nullable, oneOfInts, required, text } from '../params.ts';
import { datetimeView, dateView, defineView, userView } from '../views.ts';

/** Access levels a client may name [L118]; which of them a group or a project takes is the deciders' word. */
const LEVELS = [0, 5, 10, 20, 30, 40, 50] as const;

/** Member in a list [L115]. */
export const memberView = defineView('Member', {
  ...userView.shape,
  access_level: z.int(),
  expires_at: dateView.nullable(),
  /** Only of users with a public email. */
  email: z.string().optional(),
});
/** Member in the single view [L115]. */
export const singleMemberView = defineView('MemberDetail', {
  ...memberView.shape,
  created_at: datetimeView,
});
/** What came of adding a comma-separated list of users: who could not be added is named with the reason. */
export const addedMembersView = defineView('AddedMembers', {
  status: z.enum(['success', 'error']),
  message: z.record(z.string(), z.string()).optional(),
});

/** Parameters of the endpoints of groups' and projects' members alike. */
export const memberListParams = { id: idOrPath(), query: text({ max: 255 }), user_ids: list(int()) };
export const oneMember = { id: idOrPath(), user_id: required(int()) };
export const addMemberParams = {
  id: idOrPath(),
  user_id: required(list(int(), { max: 100 })),
  access_level: required(oneOfInts(...LEVELS)),
  expires_at: nullable(date()),
  invite_source: text({ max: 255 }),
  areas_of_focus: text(),
};
export const changeMemberParams = {
  ...oneMember,
  access_level: required(oneOfInts(...LEVELS)),
  expires_at: nullable(date()),
};
