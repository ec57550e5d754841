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

/** What events of pages have in common, whose wiki it may be. */
export const wikiPageFields = { wikiPageId, attributes, content };

const common = {
  version: 1,
  subject: 'wiki-<projectId>',
  service: 'repo',
  audit: 'content',
  activity: 'unnamed',
} as const;

export const WikiPageCreated = defineEvent({
  ...common,
  type: 'WikiPageCreated',
  description: 'A page of the wiki of a project was created.',
  example: examples.WikiPageCreated,
  schema: z.object({ ...ids, ...attributes, content }),
});

export const WikiPageUpdated = defineEvent({
  ...common,
  type: 'WikiPageUpdated',
  description: 'A page of a wiki was moved, or its markup changed.',
  example: examples.WikiPageUpdated,
  schema: z.object({ ...ids, ...changed(attributes) }),
});

/** The text before is in the event before it: it is not told twice. */
export const WikiPageTextCommitted = defineEvent({
  ...common,
  type: 'WikiPageTextCommitted',
  description: 'The text of a page of a wiki was written anew.',
  example: examples.WikiPageTextCommitted,
  schema: z.object({ ...ids, content }),
});

export const WikiPageDeleted = defineEvent({
  ...common,
  type: 'WikiPageDeleted',
  description: 'A page of a wiki was deleted.',
  example: examples.WikiPageDeleted,
  schema: z.object(ids),
});

export const wikiPageEvents = [
  WikiPageCreated,
  WikiPageUpdated,
  WikiPageTextCommitted,
  WikiPageDeleted,
] as const;
export type WikiPageEvent = EventOf<(typeof wikiPageEvents)[number]>;
