import { memberAdded, projectCreated, userCreated } from './sample-events.ts';

/* Project 7 with a caller of each kind that most rights tell apart. */

export const OWNER = 1;
export const DEVELOPER = 2;
export const REPORTER = 3;
export const OUTSIDER = 4;

export const team = [
  ...[OWNER, DEVELOPER, REPORTER, OUTSIDER].map((id) => userCreated(id)),
  projectCreated(7),
  memberAdded(7, DEVELOPER, 30),
  memberAdded(7, REPORTER, 20),
];
