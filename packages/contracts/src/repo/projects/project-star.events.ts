import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import { projectId, userId } from '../../shared/event.fields.ts';

const star = { projectId, userId };

export const ProjectStarred = defineEvent({
  type: 'ProjectStarred',
  version: 1,
  description: 'A user starred a project.',
  subject: 'projectStar-<projectId>-<userId>',
  service: 'repo',
  audit: 'own',
  activity: 'unnamed',
  schema: z.object(star),
});

export const ProjectUnstarred = defineEvent({
  type: 'ProjectUnstarred',
  version: 1,
  description: 'A user took back the star of a project.',
  subject: 'projectStar-<projectId>-<userId>',
  service: 'repo',
  audit: 'own',
  activity: 'unnamed',
  schema: z.object(star),
});

export const projectStarEvents = [ProjectStarred, ProjectUnstarred] as const;
export type ProjectStarEvent = EventOf<(typeof projectStarEvents)[number]>;
