import {
  type WikiFormat,
  wikiPageSummaryView,
  wikiPageView,
} from '@forgelog/contracts/repo/wikis/wiki-page.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { derived } from '@forgelog/service-kit/view-parts.ts';
import type { WikiPageRow } from './wiki-pages.projection.ts';
import { titleOf } from './wiki-slug.rules.ts';

const format = derived(['format'], (name: string) => name as WikiFormat);
const title = derived(['slug'], titleOf);

export const wikiPageSummaryJson = implementView(wikiPageSummaryView).from<WikiPageRow>({
  format,
  slug: 'slug',
  title,
});

export const wikiPageJson = implementView(wikiPageView).from<WikiPageRow & { content: string }>({
  format,
  slug: 'slug',
  title,
  content: 'content',
});
