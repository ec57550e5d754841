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

export const searchCodeAcross = defineOperation({
  id: 'search-code-across',
  service: 'repo',
  summary: 'Files that a search finds for the caller in all projects of a storage, or in those of a group',
  effect: 'read',
  readsRepository: true,
  request: z.strictObject({
    /** Any project of the storage. */
    projectId: z.int(),
    groupId: z.int().nullable(),
    search: searchRequest.search,
    offset: z.int().min(0),
    limit: z.int().min(1).max(101),
  }),
  answer: z.strictObject({
    items: readyPage.shape.items,
    /** How many there are in all; null where more may follow. */
    total: z.int().nullable(),
  }),
});

export const repoSearchOperations = [searchRepo, searchCode, searchCodeAcross];
