import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { changed } from '../../shared/changes.ts';
import examples from './badge.events.examples.json' with { type: 'json' };

const ids = {
  badgeId: z.int().describe('Id of the badge.'),
  projectId: z.int().nullable().describe('Id of the project whose badge it is; null for one of a group.'),
  groupId: z.int().nullable().describe('Id of the group whose badge it is; null for one of a project.'),
};
const badge = {
  name: personal(z.string().nullable().describe('Name of the badge; null if it has none.')),
  linkUrl: personal(z.string().describe('Where the badge leads to, with its placeholders.')),
  imageUrl: personal(z.string().describe('Address of the image, with its placeholders.')),
};

const common = {
  version: 1,
  subject: 'badge-<badgeId>',
  service: 'repo',
  audit: privileged('Project', 'Badge'),
  activity: 'unnamed',
} as const;

export const BadgeCreated = defineEvent({
  ...common,
  type: 'BadgeCreated',
  description: 'A project or a group got a badge: an image with a link.',
  example: examples.BadgeCreated,
  schema: z.object({ ...ids, ...badge }),
});

export const BadgeUpdated = defineEvent({
  ...common,
  type: 'BadgeUpdated',
  description: 'Name or addresses of a badge changed.',
  example: examples.BadgeUpdated,
  schema: z.object({ ...ids, ...changed(badge) }),
});

export const BadgeDeleted = defineEvent({
  ...common,
  type: 'BadgeDeleted',
  description: 'A badge was deleted.',
  example: examples.BadgeDeleted,
  schema: z.object(ids),
});

export const badgeEvents = [BadgeCreated, BadgeUpdated, BadgeDeleted] as const;
export type BadgeEvent = EventOf<(typeof badgeEvents)[number]>;
