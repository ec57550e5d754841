import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import { changed } from '../../shared/changes.ts';
import { groupId } from '../../shared/event.fields.ts';
import examples from './group-wiki-page.events.examples.json' with { type: 'json' };
import { wikiPageFields } from './wiki-page.events.ts';

/** Pages of groups have events of their own: those of projects were released with a project in each of them. */
const { wikiPageId, attributes, content, author } = wikiPageFields;
const ids = { wikiPageId, groupId };

const common = {
  version: 1,
  subject: 'group-wiki-<groupId>',
  service: 'repo',
  audit: 'content',
  activity: 'unnamed',
} as const;

export const GroupWikiPageCreated = defineEvent({
  ...common,
  type: 'GroupWikiPageCreated',
  description: 'A page of the wiki of a group was created.',
  example: examples.GroupWikiPageCreated,
  schema: z.object({ ...ids, ...attributes, content, author }),
});

export const GroupWikiPageUpdated = defineEvent({
  ...common,
  type: 'GroupWikiPageUpdated',
  description: 'A page of the wiki of a group was moved, or its markup changed.',
  example: examples.GroupWikiPageUpdated,
  schema: z.object({ ...ids, ...changed(attributes), author }),
});

/** The text before is in the event before it: it is not told twice. */
export const GroupWikiPageTextCommitted = defineEvent({
  ...common,
  type: 'GroupWikiPageTextCommitted',
  description: 'The text of a page of the wiki of a group was written anew.',
  example: examples.GroupWikiPageTextCommitted,
  schema: z.object({ ...ids, content, author }),
});

export const GroupWikiPageDeleted = defineEvent({
  ...common,
  type: 'GroupWikiPageDeleted',
  description: 'A page of the wiki of a group was deleted.',
  example: examples.GroupWikiPageDeleted,
  schema: z.object({ ...ids, author }),
});

export const groupWikiPageEvents = [
  GroupWikiPageCreated,
  GroupWikiPageUpdated,
  GroupWikiPageTextCommitted,
  GroupWikiPageDeleted,
] as const;
export type GroupWikiPageEvent = EventOf<(typeof groupWikiPageEvents)[number]>;
