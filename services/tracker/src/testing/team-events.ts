import {
  groupCreated,
  groupMemberAdded,
  memberAdded,
  on,
  projectCreated,
  userCreated,
} from '@forgelog/testing/sample-events.ts';

export const [OWNER, REPORTER, GUEST] = [1, 2, 3];
export const TEAM = 50;

const inTeam = (id: number) => {
  const { stream, event } = projectCreated(id, { visibility: 'public' });
  const place = { namespaceId: TEAM, ownerId: null, fullPath: `group${TEAM}/project${id}` };
  return on(stream, { ...event, data: { ...(event.data as object), ...place } });
};

/** A group with the projects 7 and 8, and project 9 beside it; all are public. */
export const teamEvents = [
  ...[userCreated(OWNER), userCreated(REPORTER), userCreated(GUEST)],
  ...[groupCreated(TEAM, { visibility: 'public' }), groupMemberAdded(TEAM, OWNER, 50)],
  ...[groupMemberAdded(TEAM, REPORTER, 20), groupMemberAdded(TEAM, GUEST, 10)],
  ...[inTeam(7), inTeam(8), projectCreated(9, { visibility: 'public' }), memberAdded(9, REPORTER, 30)],
];
