import { z } from 'zod';
import { atLeastOne, defineEndpoint } from '../../endpoint.ts';
import { bool, described, fallback, oneOf, required, text } from '../../params.ts';
import { defineView } from '../../views.ts';
import examples from './wiki-page.examples.json' with { type: 'json' };
import { GROUP_WIKI, PROJECT_WIKI, type WikiPlace } from './wiki-places.ts';

export const WIKI_FORMATS = ['markdown', 'rdoc', 'asciidoc', 'org'] as const;
export type WikiFormat = (typeof WIKI_FORMATS)[number];

/** Bytes of a page at most, whatever the instance's setting: its text is in an event. */
export const MOST_WIKI_PAGE_BYTES = 1_048_576;
/** A wiki has so many at most, since all of them are one stream and one list. */
export const MOST_WIKI_PAGES = 5000;

const summary = { format: z.enum(WIKI_FORMATS), slug: z.string(), title: z.string() };

/** Page in a list that does not ask for texts [companions 2.11]. */
export const wikiPageSummaryView = defineView('WikiPageSummary', summary, examples.WikiPageSummary);

/** WikiPage [companions 2.11]. Its slug is its address: folders, and the title with hyphens. */
export const wikiPageView = defineView('WikiPage', { ...summary, content: z.string() }, examples.WikiPage);

const title = described(
  text({ max: 4096 }),
  'Title, in folders if it has slashes; of a change, `/` in front leads out of the folder',
  { examples: ['Getting started'] },
);
const content = described(text({ max: MOST_WIKI_PAGE_BYTES }), 'Text of the page', {
  examples: ['Turn the crank.'],
});
const format = oneOf(...WIKI_FORMATS);
const slug = described(required(text()), 'URL-encoded slug of the page', { examples: ['engines%2FCrank'] });

function pagesOf({ prefix, of, path, tier, reads, writes, deletes, where }: WikiPlace) {
  const id = `${prefix}wiki-page`;
  const common = { service: 'repo', tier, spec: 'companions 2.11' } as const;
  const one = `${path}/:slug`;
  return {
    list: defineEndpoint({
      ...common,
      access: reads,
      id: `${id}-list`,
      method: 'GET',
      path,
      summary: `All pages of the wiki of a ${of}, by their slugs, in one answer`,
      params: { ...where, with_content: described(fallback(bool(), false), 'Whether to show their texts') },
      response: z.union([z.array(wikiPageSummaryView), z.array(wikiPageView)]),
    }),
    get: defineEndpoint({
      ...common,
      access: reads,
      id: `${id}-get`,
      method: 'GET',
      path: one,
      summary: `One page of the wiki of a ${of}`,
      params: { ...where, slug },
      response: wikiPageView,
    }),
    create: defineEndpoint({
      ...common,
      access: writes,
      id: `${id}-create`,
      method: 'POST',
      path,
      summary: `Create a page of the wiki of a ${of}`,
      params: {
        ...where,
        title: required(title),
        content: required(content),
        format: described(fallback(format, 'markdown'), 'Markup of the text'),
      },
      status: 201,
      response: wikiPageView,
    }),
    update: defineEndpoint({
      ...common,
      access: writes,
      id: `${id}-update`,
      method: 'PUT',
      path: one,
      summary: `Change a page of the wiki of a ${of}; a new title moves it`,
      params: { ...where, slug, title, content, format: described(format, 'Markup of the text') },
      rules: [atLeastOne('title', 'content', 'format')],
      response: wikiPageView,
    }),
    delete: defineEndpoint({
      ...common,
      access: deletes,
      id: `${id}-delete`,
      method: 'DELETE',
      path: one,
      summary: `Delete a page of the wiki of a ${of}`,
      params: { ...where, slug },
      status: 204,
      otherStatuses: [412],
    }),
  };
}

export const wikiPages = pagesOf(PROJECT_WIKI);
export const groupWikiPages = pagesOf(GROUP_WIKI);

export const wikiEndpoints = [...Object.values(wikiPages), ...Object.values(groupWikiPages)];
