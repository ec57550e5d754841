import { z } from 'zod';
import { defineOperation } from '../../operation.ts';
import { readyPage } from '../../shared/page.ts';
import { searchRequest } from '../../shared/search.ts';

export const searchRepo = defineOperation({
  id: 'search-repo',
  service: 'repo',
  summary: 'One page of the projects or snippets that a search finds for the caller',
  effect: 'read',
  request: z.strictObject({ scope: z.enum(['projects', 'snippet_titles']), ...searchRequest }),
  answer: readyPage,
});

export const repoSearchOperations = [searchRepo];
