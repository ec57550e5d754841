import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import { projectId, userId } from '../../shared/event.fields.ts';
import examples from './project-star.events.examples.json' with { type: 'json' };

const star = { projectId, userId };

export const ProjectStarred = defineEvent({
  type: 'ProjectStarred',
  version: 1,
  description: 'A user starred a project.',
  subject: 'projectStar-<projectId>-<userId>',
  example: examples.ProjectStarred,
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
  example: examples.ProjectUnstarred,
  service: 'repo',
  audit: 'own',
  activity: 'unnamed',
  schema: z.object(star),
});

export const projectStarEvents = [ProjectStarred, ProjectUnstarred] as const;
export type ProjectStarEvent = EventOf<(typeof projectStarEvents)[number]>;
