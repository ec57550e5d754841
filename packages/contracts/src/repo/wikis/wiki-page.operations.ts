import { z } from 'zod';
import { defineOperation } from '../../operation.ts';
import { describedRecord } from '../../shared/described-record.ts';
import { WIKI_FORMATS } from './wiki-page.api.ts';

export const describeWikiPage = defineOperation({
  id: 'wiki-page-describe',
  service: 'repo',
  summary: 'A page of a wiki with its text, for what is told of it; the asking service checks rights',
  effect: 'read',
  request: describedRecord,
  answer: z.strictObject({
    page: z
      .strictObject({
        id: z.int(),
        projectId: z.int(),
        slug: z.string(),
        format: z.enum(WIKI_FORMATS),
        content: z.string(),
      })
      .nullable(),
  }),
});

export const wikiPageOperations = [describeWikiPage];
