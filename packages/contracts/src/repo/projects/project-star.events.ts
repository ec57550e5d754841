import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';

/** Streams `projectStar-<project id>-<user id>`: whether a user has starred a project. */
const star = { projectId: z.int(), userId: z.int() };

export const ProjectStarred = defineEvent({
  type: 'ProjectStarred',
  version: 1,
  service: 'repo',
  audit: 'own',
  activity: 'unnamed',
  schema: z.object(star),
});

export const ProjectUnstarred = defineEvent({
  type: 'ProjectUnstarred',
  version: 1,
  service: 'repo',
  audit: 'own',
  activity: 'unnamed',
  schema: z.object(star),
});

export const projectStarEvents = [ProjectStarred, ProjectUnstarred] as const;
export type ProjectStarEvent = EventOf<(typeof projectStarEvents)[number]>;
