import { z } from 'zod';
import { defineOperation } from '../../operation.ts';
import { readyPage } from '../../shared/page.ts';
import { searchRequest } from '../../shared/search.ts';

export const searchRepo = defineOperation({
  id: 'search-repo',
  service: 'repo',
  summary: 'One page of the projects, snippets or pages of wikis that a search finds for the caller',
  effect: 'read',
  request: z.strictObject({ scope: z.enum(['projects', 'snippet_titles', 'wiki_blobs']), ...searchRequest }),
  answer: readyPage,
});

export const searchCode = defineOperation({
  id: 'search-code',
  service: 'repo',
  summary: 'One page of the files or commits of a project that a search finds for the caller',
  effect: 'read',
  readsRepository: true,
  request: z.strictObject({
    scope: z.enum(['blobs', 'commits']),
    projectId: z.int(),
    /** null: the default branch. */
    ref: z.string().nullable(),
    search: searchRequest.search,
    page: searchRequest.page,
  }),
  answer: readyPage,
});

export const repoSearchOperations = [searchRepo, searchCode];
