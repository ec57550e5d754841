import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { changed } from '../../shared/changes.ts';
import { projectId } from '../../shared/event.fields.ts';
import { WIKI_FORMATS } from './wiki-page.api.ts';
import examples from './wiki-page.events.examples.json' with { type: 'json' };

const wikiPageId = z.int().describe('Id of the page.');
const ids = { wikiPageId, projectId };
const attributes = {
  slug: personal(z.string().describe('Folders and title of the page, with hyphens for spaces.')),
  format: z.enum(WIKI_FORMATS).describe('Markup of its text.'),
};
const content = personal(z.string().describe('Text of the page from now on.'));

/** Since 0.2.0. Events of 0.1.0 do not say how their author was called. */
const author = z
  .object({
    name: personal(z.string().describe('Name of who wrote it, as their commit has it.')),
    email: personal(z.string().describe('Address of who wrote it, as their commit has it.')),
  })
  .nullable()
  .describe('Author of the commit that this change is for git; null where a pushed commit says it itself.');

/** What events of pages have in common, whose wiki it may be. */
export const wikiPageFields = { wikiPageId, attributes, content, author };

const common = {
  version: 2,
  subject: 'wiki-<projectId>',
  service: 'repo',
  audit: 'content',
  activity: 'unnamed',
  upcast: { 1: (data: Readonly<Record<string, unknown>>) => ({ ...data, author: null }) },
} as const;

export const WikiPageCreated = defineEvent({
  ...common,
  type: 'WikiPageCreated',
  description: 'A page of the wiki of a project was created.',
  example: examples.WikiPageCreated,
  schema: z.object({ ...ids, ...attributes, content, author }),
});

export const WikiPageUpdated = defineEvent({
  ...common,
  type: 'WikiPageUpdated',
  description: 'A page of a wiki was moved, or its markup changed.',
  example: examples.WikiPageUpdated,
  schema: z.object({ ...ids, ...changed(attributes), author }),
});

/** The text before is in the event before it: it is not told twice. */
export const WikiPageTextCommitted = defineEvent({
  ...common,
  type: 'WikiPageTextCommitted',
  description: 'The text of a page of a wiki was written anew.',
  example: examples.WikiPageTextCommitted,
  schema: z.object({ ...ids, content, author }),
});

export const WikiPageDeleted = defineEvent({
  ...common,
  type: 'WikiPageDeleted',
  description: 'A page of a wiki was deleted.',
  example: examples.WikiPageDeleted,
  schema: z.object({ ...ids, author }),
});

export const wikiPageEvents = [
  WikiPageCreated,
  WikiPageUpdated,
  WikiPageTextCommitted,
  WikiPageDeleted,
] as const;
export type WikiPageEvent = EventOf<(typeof wikiPageEvents)[number]>;
